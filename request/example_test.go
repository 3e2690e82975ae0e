package request_test

import (
	"fmt"

	"github.com/weirsdk/weir/request"
)

func Example() {
	weather, err := request.NewTool("get_weather", "Weather of a city.", `{
		"type": "object",
		"properties": {"city": {"type": "string"}},
		"required": ["city"]
	}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	req := request.Request{
		System:      "Answer in one sentence.",
		Messages:    []request.Message{request.UserText("Weather in Oslo?")},
		Tools:       []request.Tool{weather},
		Temperature: new(0.2),
	}
	text, err := req.Canonical()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(text))
	back, err := request.Parse(text)
	fmt.Println(back.Tools[0].Name(), err)
	// Output:
	// {"messages":[{"content":[{"text":"Weather in Oslo?","type":"text"}],"role":"user"}],"system":"Answer in one sentence.","temperature":0.2,"tools":[{"description":"Weather of a city.","name":"get_weather","schema":{"properties":{"city":{"type":"string"}},"required":["city"],"type":"object"}}]}
	// get_weather <nil>
}

func ExampleTool_Check() {
	weather, err := request.NewTool("get_weather", "", `{"type":"object","properties":{"days":{"type":"integer"}}}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(weather.Check(`{"days":3}`) == nil)
	fmt.Println(weather.Check(`{"days":"three"}`).Detail)
	// Output:
	// true
	// arguments do not fit the schema: at /days: expected integer, but got string
}

func ExampleRequest_Prepare() {
	req := request.Request{
		Messages:    []request.Message{request.UserText("hi")},
		Temperature: new(0.2),
		Effort:      request.EffortMax,
	}
	prepared, err := req.Prepare(request.Target{Spec: request.Spec{
		Temperature: request.No,
		Efforts:     []request.Effort{request.EffortLow, request.EffortHigh},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, notice := range prepared.Notices {
		fmt.Println(notice.Code, "-", notice.Detail)
	}
	// Output:
	// parameter_dropped - temperature: the model does not take temperature
	// effort_clamped - effort: the model does not take max; high takes its place
}
