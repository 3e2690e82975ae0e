package request

import (
	"mime"
	"strconv"
	"strings"

	"github.com/weirsdk/weir/events"
)

// Bounds of media.
const (
	// MaxInlineMedia is the most bytes of one inline image, audio clip or file,
	// before base64. Providers have lower limits of their own.
	MaxInlineMedia = 20 << 20
	// MaxMediaURL is the longest URL, in bytes; inline data does not go in a URL.
	MaxMediaURL = 8 << 10
)

// message checks and copies one message. whole is false when a block was refused,
// so that a message that is empty by that is not reported twice.
func (p *preparer) message(at string, m Message) (out Message, whole bool) {
	if len(m.Blocks) > MaxBlocks {
		p.badHistory(at, "more than "+strconv.Itoa(MaxBlocks)+" blocks")
	}
	if m.Role != RoleAssistant && !m.Data.IsZero() {
		p.badHistory(at+".data", "only an assistant turn has provider data")
	}
	out = Message{Role: m.Role, Data: p.data(at+".data", m.Data)}
	before := len(p.problems)
	for i, b := range m.Blocks {
		at := at + ".content[" + strconv.Itoa(i) + "]"
		cleaned, keep := p.block(at, m.Role, b)
		if !keep {
			continue
		}
		if cleaned.Cache = b.Cache; b.Cache != "" {
			p.marked = append(p.marked, at+".cache")
		}
		out.Blocks = append(out.Blocks, cleaned)
	}
	return out, len(p.problems) == before
}

// data returns provider data that is for the target, and reports other.
func (p *preparer) data(at string, d events.ProviderData) events.ProviderData {
	if d.IsZero() || p.target == nil || d.Format == p.target.Format && d.Origin == p.target.Origin {
		return d
	}
	detail := "data of another provider, " + quoteShort(d.Origin) + " in format " + quoteShort(d.Format)
	if p.foreign == ForeignDrop {
		p.change(at, events.NoticeForeignDropped, detail, "")
	} else {
		p.problem(at, events.ReasonForeignData, detail)
	}
	return events.ProviderData{}
}

// legal reports whether a turn of that role may hold that kind of block.
func legal(role Role, kind BlockKind) bool {
	switch kind {
	case BlockText:
		return role == RoleUser || role == RoleAssistant
	case BlockImage, BlockAudio, BlockFile:
		return role == RoleUser
	case BlockToolCall:
		return role == RoleAssistant
	case BlockToolResult:
		return role == RoleTool
	default:
		return false
	}
}

// block checks and cleans one block; keep is false when it is not sent.
func (p *preparer) block(at string, role Role, b Block) (out Block, keep bool) {
	if !legal(role, b.Kind) {
		p.badHistory(at, "block of type "+quoteShort(string(b.Kind))+" in a message of role "+string(role))
		return Block{}, false
	}
	switch b.Kind {
	case BlockText:
		return p.text(at, b)
	case BlockToolCall:
		return p.call(at, b.Call), true
	case BlockToolResult:
		return p.result(at, b.Result), true
	default:
		return p.media(at, b), true
	}
}

func (p *preparer) text(at string, b Block) (out Block, keep bool) {
	if isBlank(b.Text) {
		p.change(at, events.NoticeEmptyBlockDropped, emptyText, notSent)
		return Block{}, false
	}
	return Text(validText(b.Text)), true
}

func (p *preparer) call(at string, c events.ToolCall) Block {
	c.ID, c.Name = validText(c.ID), validText(c.Name)
	if c.ID == "" || c.Name == "" {
		p.badHistory(at, "tool call without an id or a name")
	}
	c.Arguments = validText(c.Arguments)
	if isBlank(c.Arguments) {
		c.Arguments = "{}"
	}
	if issue := events.CheckArguments(c.Arguments); issue != nil {
		p.badHistory(at+".arguments", issue.Detail)
	}
	c.Arguments = repairSurrogates(c.Arguments)
	c.Replay = p.data(at+".replay", c.Replay)
	p.names = append(p.names, c.Name)
	p.firstMinted = max(p.firstMinted, minted(c.ID)+1)
	return Call(c)
}

// MintedID returns the nth minted id, for a tool call that the provider gave no
// usable id. A decoder counts n on from [Prepared.FirstMinted], so that its ids
// are unique in the conversation and equal on replay.
func MintedID(n int) string { return mintedPrefix + strconv.Itoa(n) }

// MintID returns the first minted id from the nth on that no call has, and counts n on
// beyond it: a provider's own ids may look like minted ones.
func MintID(n *int, taken func(id string) bool) string {
	for {
		id := MintedID(*n)
		*n++
		if !taken(id) {
			return id
		}
	}
}

const mintedPrefix = "call_w"

// minted returns the n of an id call_w<n>, or 0.
func minted(id string) int {
	// Larger numbers are nobody's: they would take two billion calls.
	const most = 1 << 30
	digits, ok := strings.CutPrefix(id, mintedPrefix)
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 0 || n > most {
		return 0
	}
	return n
}

// result keeps a result that has no content: the call is answered all the same.
func (p *preparer) result(at string, r ToolResult) Block {
	out := ToolResult{CallID: validText(r.CallID), IsError: r.IsError}
	if len(r.Content) > MaxBlocks {
		p.badHistory(at, "more than "+strconv.Itoa(MaxBlocks)+" blocks")
	}
	for i, b := range r.Content {
		at := at + ".content[" + strconv.Itoa(i) + "]"
		p.badParameter(at+".cache", b.Cache != "", "the marker belongs on the tool result")
		switch {
		case b.Kind == BlockText && b.Text == "":
			// A tool that says nothing is no loss to tell of.
		case b.Kind == BlockText:
			if b, keep := p.text(at, b); keep {
				out.Content = append(out.Content, b)
			}
		case b.Kind == BlockImage:
			out.Content = append(out.Content, p.media(at, b))
		default:
			p.badHistory(at, "block of type "+quoteShort(string(b.Kind))+" in a tool result")
		}
	}
	return Block{Kind: BlockToolResult, Result: out}
}

func (p *preparer) media(at string, b Block) Block {
	if p.supports(b.Kind) == No {
		p.problem(at, events.ReasonBadParameter, "the model takes no "+string(b.Kind))
	}
	switch {
	case len(b.Data) > 0 && b.URL != "":
		p.badHistory(at, string(b.Kind)+" with both data and url")
	case len(b.Data) > MaxInlineMedia:
		p.badHistory(at, string(b.Kind)+" of more than "+strconv.Itoa(MaxInlineMedia)+" bytes")
	case len(b.Data) == 0 && !isMediaURL(b.URL):
		p.badHistory(at, string(b.Kind)+" without data or a usable url")
	}
	if !isMediaType(b) {
		p.badHistory(at+".media_type", "media type "+quoteShort(b.MediaType)+" of "+string(b.Kind))
	}
	return Block{Kind: b.Kind, MediaType: b.MediaType, Data: b.Data, URL: b.URL, Name: validText(b.Name)}
}

func (p *preparer) supports(kind BlockKind) Support {
	switch kind {
	case BlockImage:
		return p.spec.Images
	case BlockAudio:
		return p.spec.Audio
	default:
		return p.spec.Files
	}
}

// isMediaURL reports whether a provider could fetch it: any scheme but data, as
// vendors have their own (gs, s3).
func isMediaURL(url string) bool {
	if len(url) > MaxMediaURL || strings.ContainsFunc(url, isNotPrinted) {
		return false
	}
	scheme, rest, ok := strings.Cut(url, "://")
	return ok && scheme != "" && rest != ""
}

func isNotPrinted(r rune) bool { return r <= ' ' || r == 0x7f || r == '\uFFFD' }

// isMediaType reports whether a block's media type is one, and of the kind. With
// a URL it may be left out.
func isMediaType(b Block) bool {
	if b.MediaType == "" {
		return b.URL != "" && len(b.Data) == 0
	}
	kind, _, err := mime.ParseMediaType(b.MediaType)
	major, minor, _ := strings.Cut(kind, "/")
	if err != nil || major == "" || minor == "" {
		return false
	}
	return b.Kind == BlockFile || major == string(b.Kind)
}
