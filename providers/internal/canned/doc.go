// Package canned answers HTTP requests from memory, for the tests of adapters:
// any body, cut into any reads, ended in any way. It is not for programs; they
// replay recordings.
package canned
