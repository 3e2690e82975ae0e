package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
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
	os.Exit(run(context.Background(), os.Args[1:], console{in: os.Stdin, out: os.Stdout, err: os.Stderr, terminal: isTerminal(os.Stdout)}))
}

// A console is what a command reads and writes.
type console struct {
	in       io.Reader
	out, err io.Writer
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
	if errors.Is(err, flag.ErrHelp) {
		_, err = fmt.Fprintf(c.out, help, strings.Join(readyAPIs(), " "))
	}
	var usage usageError
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errFailed):
		return exitFailed
	case errors.As(err, &usage):
		c.complain(usage)
		return exitUsage
	default:
		c.complain(err)
		return exitOutput
	}
}

// complain prints one line for people. When that fails there is nobody to tell.
func (c console) complain(err error) {
	line := strings.ReplaceAll(err.Error(), "\n", " ")
	_, _ = fmt.Fprintf(c.err, "weir: %s\n", line)
}

func dispatch(ctx context.Context, args []string, c console) error {
	if len(args) == 0 {
		return wrongUsage("a command is missing: inspect or encode; weir help says more")
	}
	switch name, rest := args[0], args[1:]; name {
	case "inspect":
		return inspect(ctx, rest, c)
	case "encode":
		return encode(ctx, rest, c)
	case "help", "-h", "-help", "--help":
		return flag.ErrHelp
	default:
		return wrongUsage("command %q is unknown or not available yet; there are: inspect, encode", name)
	}
}

const help = `weir looks at recorded streams and at requests, without a network.

  weir inspect [flags] FILE     play a recorded response body, print its events
    --api NAME                  the language of the provider (see below)
    --vendor NAME               whose dialect of it: groq, mistral, openrouter ...
    --status N                  the response's status (200)
    --header 'Name: value'      a header of the response, repeatable
    --http                      FILE is a raw HTTP/1.1 response, head included
    --split N                   feed N bytes a read
    --cut N                     end the body after N bytes
    --reset                     end it with a connection reset, not an end of file
    --tools FILE                the declared tools, a JSON array
    --json                      JSON lines, also on a terminal

  weir encode --api NAME --model M [--vendor NAME] REQUEST.json
                                print the exact body that would be sent; of
                                openai-chat the one for OpenAI, unless told whose

FILE may be - for the standard input.
APIs: %s
Exit status: 0 complete, 3 failed, 2 wrong usage, 1 the output is gone.
`

// newFlags returns a flag set that prints nothing by itself.
func newFlags(name string) *flag.FlagSet {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	return fs
}

// parseFlags parses flags before and after the one file that a command takes,
// and returns the file.
func parseFlags(fs *flag.FlagSet, args []string) (string, error) {
	var files []string
	for {
		if err := fs.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return "", err
			}
			return "", wrongUsage("%s: %s", fs.Name(), err)
		}
		if fs.NArg() == 0 {
			break
		}
		files = append(files, fs.Arg(0))
		args = fs.Args()[1:]
	}
	if len(files) != 1 {
		return "", wrongUsage("%s takes one FILE, got %d", fs.Name(), len(files))
	}
	return files[0], nil
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
