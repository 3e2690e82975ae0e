package schema_test

import (
	"fmt"

	"github.com/weirsdk/weir/request/schema"
)

func Example() {
	text := `{
		"type": "object",
		"properties": {"city": {"type": "string", "minLength": 1}, "days": {"type": "integer"}},
		"required": ["city"]
	}`
	r, err := schema.Rewrite(text, schema.OpenAIStrict, schema.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Schema)
	for _, loss := range r.Losses {
		fmt.Println(loss)
	}
	fmt.Println(schema.Strip(text, `{"city":"Graz","days":null}`))
	// Output:
	// {"type":"object","properties":{"city":{"type":"string"},"days":{"type":["integer","null"]}},"required":["city","days"],"additionalProperties":false}
	// #/properties/city: minLength: minLength is not in the provider's subset (widened)
	// #/properties/days: required: null stands for left out (nullable)
	// {"city":"Graz"}
}

func ExampleFor() {
	type forecast struct {
		City string   `json:"city" description:"Its name in English."`
		Sky  string   `json:"sky" enum:"clear,cloudy,rain"`
		Days []int8   `json:"days,omitempty"`
		Wind *float64 `json:"wind"`
	}
	text, err := schema.For[forecast]()
	fmt.Println(text, err)
	// Output:
	// {"type":"object","properties":{"city":{"type":"string","description":"Its name in English."},"sky":{"type":"string","enum":["clear","cloudy","rain"]},"days":{"type":"array","items":{"type":"integer","minimum":-128,"maximum":127}},"wind":{"type":["number","null"]}},"required":["city","sky","wind"],"additionalProperties":false} <nil>
}
