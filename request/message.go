package request

import "github.com/weirsdk/weir/events"

// A Role says who speaks.
type Role string

// The roles.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	// RoleTool is a turn of tool results.
	RoleTool Role = "tool"
)

// A Message is one turn of the conversation.
type Message struct {
	Role   Role
	Blocks []Block
	// Data is what the provider of an assistant turn needs to get it back
	// exactly; zero for all other turns.
	Data events.ProviderData
}

// A BlockKind says what a block holds.
type BlockKind string

// The kinds of blocks.
const (
	BlockText       BlockKind = "text"
	BlockImage      BlockKind = "image"
	BlockAudio      BlockKind = "audio"
	BlockFile       BlockKind = "file"
	BlockToolCall   BlockKind = "tool_call"
	BlockToolResult BlockKind = "tool_result"
)

// A Block is a piece of a message. Make one with the constructors; which fields
// mean something depends on Kind.
type Block struct {
	Kind BlockKind
	// Text of a text block.
	Text string
	// MediaType, Data or URL, and Name of an image, audio or file block.
	MediaType string
	Data      []byte
	URL       string
	Name      string
	// Call of a tool_call block.
	Call events.ToolCall
	// Result of a tool_result block.
	Result ToolResult
	// Cache is a marker after the block, of any kind: the provider is asked to keep the
	// prompt up to here. Blocks inside a tool result have none. See [Cache].
	Cache CacheTTL
}

// A ToolResult answers one tool call.
type ToolResult struct {
	// CallID is the id of the call.
	CallID string
	// Content is text and image blocks; empty is allowed.
	Content []Block
	// IsError reports that the tool failed; Content says how.
	IsError bool
}

// User returns a user turn.
func User(blocks ...Block) Message { return Message{Role: RoleUser, Blocks: blocks} }

// UserText returns a user turn of one text.
func UserText(text string) Message { return User(Text(text)) }

// AssistantText returns an assistant turn of one text.
func AssistantText(text string) Message {
	return Message{Role: RoleAssistant, Blocks: []Block{Text(text)}}
}

// Assistant returns an assistant turn. To send a folded reply back use its Turn
// method, which keeps the provider's data too.
func Assistant(blocks ...Block) Message { return Message{Role: RoleAssistant, Blocks: blocks} }

// Results returns a turn of tool results, one for each call of the turn before.
func Results(results ...Block) Message { return Message{Role: RoleTool, Blocks: results} }

// Text returns a text block.
func Text(text string) Block { return Block{Kind: BlockText, Text: text} }

// ImageBytes returns an inline image, for instance of type "image/png".
func ImageBytes(mediaType string, data []byte) Block {
	return Block{Kind: BlockImage, MediaType: mediaType, Data: data}
}

// ImageURL returns an image that the provider fetches itself.
func ImageURL(url string) Block { return Block{Kind: BlockImage, URL: url} }

// AudioBytes returns an inline audio clip.
func AudioBytes(mediaType string, data []byte) Block {
	return Block{Kind: BlockAudio, MediaType: mediaType, Data: data}
}

// AudioURL returns an audio clip that the provider fetches itself.
func AudioURL(mediaType, url string) Block {
	return Block{Kind: BlockAudio, MediaType: mediaType, URL: url}
}

// FileBytes returns an inline file, for instance a PDF.
func FileBytes(name, mediaType string, data []byte) Block {
	return Block{Kind: BlockFile, Name: name, MediaType: mediaType, Data: data}
}

// FileURL returns a file that the provider fetches itself.
func FileURL(name, mediaType, url string) Block {
	return Block{Kind: BlockFile, Name: name, MediaType: mediaType, URL: url}
}

// Call returns a tool call of an assistant turn.
func Call(call events.ToolCall) Block { return Block{Kind: BlockToolCall, Call: call} }

// Result returns a tool's answer as text.
func Result(callID, text string) Block { return ResultBlocks(callID, Text(text)) }

// ResultError returns a tool's failure as text.
func ResultError(callID, text string) Block {
	b := Result(callID, text)
	b.Result.IsError = true
	return b
}

// ResultBlocks returns a tool's answer as text and image blocks.
func ResultBlocks(callID string, content ...Block) Block {
	return Block{Kind: BlockToolResult, Result: ToolResult{CallID: callID, Content: content}}
}

func (b Block) isMedia() bool {
	return b.Kind == BlockImage || b.Kind == BlockAudio || b.Kind == BlockFile
}
