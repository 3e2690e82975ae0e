package weir_test

import "testing"

// A tableRow is one API of a provider and the test that holds it to the suite. Where
// a reply tells its own cost, told is the test that shows it.
type tableRow struct {
	provider, api, pkg, test, told string

	run suiteRun
}

func tableRows(tb testing.TB) []tableRow {
	tb.Helper()
	rows := []tableRow{
		{provider: "OpenAI", api: "Chat", pkg: "openai", test: "TestConformance"},
		{provider: "OpenAI", api: "Responses", pkg: "openai", test: "TestResponsesConformance"},
		{provider: "Azure OpenAI", api: "Chat", pkg: "azure", test: "TestConformance"},
		{provider: "Azure OpenAI", api: "Responses", pkg: "azure", test: "TestConformanceOfResponses"},
		{provider: "OpenRouter", api: "Chat", pkg: "openrouter", test: "TestConformance", told: "TestConversation"},
		{provider: "OpenRouter", api: "Responses", pkg: "openrouter", test: "TestResponsesConformance", told: "TestResponses"},
		{provider: "any compatible endpoint", api: "Chat", pkg: "compatible", test: "TestConformance", told: "TestQuirksOfReply"},
		{provider: "any compatible endpoint", api: "Responses", pkg: "compatible", test: "TestResponsesConformance", told: "TestResponsesTellTheirCost"},
		{provider: "Mistral, a preset", api: "Chat", pkg: "compatible", test: "TestConformanceOfMistral"},
		{provider: "Mistral, a preset", api: "Responses", pkg: "compatible", test: "TestConformanceOfMistralResponses"},
		{provider: "Anthropic", api: "Messages", pkg: "anthropic", test: "TestConformance"},
		{provider: "Google Gemini", api: "generateContent", pkg: "gemini", test: "TestConformance"},
		{provider: "Vertex AI", api: "generateContent", pkg: "vertex", test: "TestConformance"},
		{provider: "Vertex AI", api: "Messages", pkg: "vertex", test: "TestConformanceOfMessages"},
		{provider: "Amazon Bedrock", api: "Converse", pkg: "bedrock", test: "TestConverseConformance"},
		{provider: "Amazon Bedrock", api: "Messages", pkg: "bedrock", test: "TestInvokeConformance"},
		{provider: "Cohere", api: "v2 chat", pkg: "cohere", test: "TestConformance"},
		{provider: "Ollama", api: "/api/chat", pkg: "ollama", test: "TestConformance"},
	}
	for i, r := range rows {
		rows[i].run = testsOf(tb, "providers/"+r.pkg).run(tb, r.test)
	}
	return rows
}

// A tableColumn is something that a provider can do.
type tableColumn struct {
	name string
	// scenarios show it. The first decides whether it is there; each of the others
	// shows it too, for a run that leaves out the first.
	scenarios []string
	yes, no   string
}

func tableColumns() []tableColumn {
	return []tableColumn{
		{"streaming", []string{"text"}, "✓", "no"},
		{"tools", []string{"tool-call", "thinking-signed"}, "✓", "no"},
		{"parallel", []string{"parallel-calls"}, "✓", "no"},
		{"thinking", []string{"thinking", "thinking-signed"}, "✓", "no"},
		{"continuation", []string{"thinking-signed"}, "sealed", "plain"},
		{"structured", []string{"structured-answer"}, "✓", "no"},
		{"hosted", []string{"hosted-tool"}, "✓", "no"},
		{"citations", []string{"citations"}, "✓", "no"},
		{"cache count", []string{"usage-cached"}, "✓", "no"},
		{"usage", []string{"usage-thinking"}, "split", "total"},
	}
}
