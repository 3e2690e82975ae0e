// Package request is the request: one model call as plain data, the same for
// every provider. (to be written)
package request
