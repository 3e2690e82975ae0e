// Package cancel gives cancellation a reason and keeps the clocks of a call.
// (to be written)
package cancel
