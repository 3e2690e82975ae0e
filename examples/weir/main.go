package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// The exit statuses.
const (
	exitOK     = 0
	exitOutput = 1
	exitUsage  = 2
	exitFailed = 3
)

func main() {
	os.Exit(run(context.Background(), os.Args[1:], console{in: os.Stdin, out: os.Stdout, err: os.Stderr, env: os.LookupEnv, terminal: isTerminal(os.Stdout)}))
}

// A console is what a command reads and writes.
type console struct {
	in       io.Reader
	out, err io.Writer
	// env looks up a variable of the environment; nil: none is set.
	env func(name string) (string, bool)
	// terminal reports that out is read by a person.
	terminal bool
}

// A usageError is what the user did wrong, as one line.
type usageError string

func (e usageError) Error() string { return string(e) }

func wrongUsage(format string, args ...any) error { return usageError(fmt.Sprintf(format, args...)) }

// errFailed says that the reply failed, and that its failure was printed.
var errFailed = errors.New("the reply failed")

// run runs the command that args name and returns the exit status.
func run(ctx context.Context, args []string, c console) int {
	err := dispatch(ctx, args, c)
	var usage usageError
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errFailed):
		return exitFailed
	case errors.As(err, &usage):
		c.say(usage.Error())
		return exitUsage
	default:
		c.say(err.Error())
		return exitOutput
	}
}

// say prints one line for people. When that fails there is nobody to tell.
func (c console) say(line string) {
	line = strings.ReplaceAll(line, "\n", " ")
	_, _ = fmt.Fprintf(c.err, "weir: %s\n", line)
}

// A command is one thing that the tool does.
type command struct {
	name string
	// takes and does are for the overview: what follows the name, and what comes
	// of it.
	takes, does string
	page        func() string
	run         func(context.Context, []string, console) error
}

// commands returns what the tool does, in the order in which people need it.
func commands() []command {
	return []command{
		{
			"inspect", "--api NAME [flags] FILE",
			"play a recorded response body through the real adapter, print its events", inspectPage, inspect,
		},
		{
			"encode", "--api NAME --model M [--vendor NAME] REQUEST.json",
			"print the exact body that would be sent", encodePage, encode,
		},
		{
			"schema", "--profile P [--strict] SCHEMA.json",
			"print a JSON Schema in a provider's subset, and what that loses", schemaPage, rewrite,
		},
		{
			"record", "--dir D (--upstream URL | --api NAME --model M REQUEST.json)",
			"record what other programs call, or one live call", recordPage, record,
		},
		{
			"serve", "--dir D [flags]",
			"serve recordings as a mock provider, with faults on order", servePage, serve,
		},
		{
			"ledger", "[flags] DSN",
			"print the runs and attempts of a ledger, and what they cost", ledgerPage, showLedger,
		},
	}
}

// later returns the names of commands that are planned.
func later() []string { return []string{"chat"} }

func commandNames() []string {
	var names []string
	for _, cmd := range commands() {
		names = append(names, cmd.name)
	}
	return names
}

// commandNamed returns a command, or says why there is none.
func commandNamed(name string) (command, error) {
	for _, cmd := range commands() {
		if cmd.name == name {
			return cmd, nil
		}
	}
	state := "is unknown"
	if slices.Contains(later(), name) {
		state = "is not available yet"
	}
	return command{}, wrongUsage("command %q %s; there are: %s", name, state, strings.Join(commandNames(), ", "))
}

func dispatch(ctx context.Context, args []string, c console) error {
	if len(args) == 0 {
		return wrongUsage("a command is missing: %s; weir help says more", strings.Join(commandNames(), ", "))
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		return help(args[1:], c)
	}
	cmd, err := commandNamed(args[0])
	if err != nil {
		return err
	}
	if err := cmd.run(ctx, args[1:], c); !errors.Is(err, flag.ErrHelp) {
		return err
	}
	return help(args[:1], c)
}

// help prints the page of a command, or of the tool when none is named.
func help(args []string, c console) error {
	page := overview
	if len(args) > 0 {
		cmd, err := commandNamed(args[0])
		if err != nil {
			return err
		}
		page = cmd.page
	}
	_, err := io.WriteString(c.out, page())
	return err
}

// newFlags returns a flag set that prints nothing by itself.
func newFlags(name string) *flag.FlagSet {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	return fs
}

// parseFlags parses flags before and after the one file that a command takes,
// and returns the file.
func parseFlags(fs *flag.FlagSet, args []string) (string, error) {
	files, err := parseArgs(fs, args)
	if err != nil {
		return "", err
	}
	if len(files) != 1 {
		return "", wrongUsage("%s takes one FILE, got %d", fs.Name(), len(files))
	}
	return files[0], nil
}

// parseArgs parses flags before, between and after files, and returns the files.
func parseArgs(fs *flag.FlagSet, args []string) ([]string, error) {
	var files []string
	for {
		if err := fs.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, err
			}
			return nil, wrongUsage("%s: %s; weir help %s lists the flags", fs.Name(), err, fs.Name())
		}
		if fs.NArg() == 0 {
			return files, nil
		}
		files = append(files, fs.Arg(0))
		args = fs.Args()[1:]
	}
}

// isSet reports whether a flag was given.
func isSet(fs *flag.FlagSet, name string) bool {
	set := false
	fs.Visit(func(f *flag.Flag) { set = set || f.Name == name })
	return set
}

// readInput reads a file whole, or the standard input for "-".
func readInput(name string, stdin io.Reader) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(stdin)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, wrongUsage("%s", err)
	}
	return data, nil
}

// isTerminal reports whether a person reads the file.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
