package request

// BrokenTool returns a tool whose validator panics on everything.
func BrokenTool() Tool { return Tool{name: "broken", compiled: &compiledSchema{}} }
