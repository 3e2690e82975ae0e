package wirejson

import "github.com/weirsdk/weir/events"

// SetPlace adds the parts of a rough place that are known, by the names that
// Anthropic, OpenAI and OpenRouter share (rubydoc.info, anthropic-sdk-ruby,
// WebSearchTool20250305; openai-client-base, docs.rs, WebSearchTool; openrouter.ai/docs/
// agent-sdk/typescript/api-reference/models/websearchplugin; read 2026-12-01).
func (o *Object) SetPlace(city, region, country, timezone string) {
	for _, part := range [][2]string{{"city", city}, {"region", region}, {"country", country}, {"timezone", timezone}} {
		if part[1] != "" {
			o.Set(part[0], string(events.AppendQuoted(nil, part[1])))
		}
	}
}

// SetTexts adds a list of texts, or nothing where there are none.
func (o *Object) SetTexts(name string, texts []string) {
	if len(texts) == 0 {
		return
	}
	dst := []byte{'['}
	for i, s := range texts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = events.AppendQuoted(dst, s)
	}
	o.Set(name, string(append(dst, ']')))
}
