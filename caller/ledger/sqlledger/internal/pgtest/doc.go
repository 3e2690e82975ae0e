// Package pgtest runs a PostgreSQL server of a test's own, from the binaries that
// are installed, on the loopback. It is no way to run one for anything else: who
// reaches its port is let in.
//
// Without the binaries a test is skipped; when [Required] is set in the environment
// that is a failure.
package pgtest
