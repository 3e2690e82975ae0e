package cancel_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/weirsdk/weir/cancel"
)

func Example() {
	process := cancel.New(context.Background())
	turn := process.Child()
	turn.Cancel(cancel.User) // the stop button

	ctx := turn.Context()
	reason, _ := cancel.ReasonOf(ctx)
	fmt.Println(string(reason), errors.Is(context.Cause(ctx), context.Canceled))

	_, stopped := process.Reason()
	fmt.Println("process stopped:", stopped)
	// Output:
	// user true
	// process stopped: false
}

func ExampleStart() {
	ctx, watch := cancel.Start(context.Background(), cancel.Clocks{})
	defer watch.Stop()
	watch.Enter() // before a read of the body
	watch.Leave() // after it
	watch.Bytes() // it gave something
	fmt.Println(ctx.Err())
	// Output:
	// <nil>
}
