// Package canned answers HTTP requests from memory, for the tests of adapters:
// any body, cut into any reads, ended in any way. It holds the tests that all
// wire families share, too: a [Wire] reads one answer, a [Family] is held to
// goldens, splits, cuts and any bytes. Only tests import it. It is not for
// programs; they replay recordings.
package canned
