package sqlledger

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/weirsdk/weir/caller/ledger"
)

// The migrations are forward only: a version that was released is not changed, a
// new one is added behind it. They differ in the types of columns only.

func sqliteMigrations() []string {
	return []string{tables(map[string]string{
		"SERIAL": "INTEGER PRIMARY KEY AUTOINCREMENT", "UNIQUE_ID": "TEXT NOT NULL UNIQUE", "TIME": "TEXT", "BIGINT": "INTEGER", "JSON": "TEXT",
	})}
}

func postgreSQLMigrations() []string {
	return []string{tables(map[string]string{
		"SERIAL": "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "UNIQUE_ID": "text NOT NULL UNIQUE", "TIME": "timestamptz", "BIGINT": "bigint", "JSON": "json",
	})}
}

// tables returns version 1 with its types.
func tables(types map[string]string) string {
	var pairs []string
	for name, in := range types {
		pairs = append(pairs, "$"+name, in)
	}
	return strings.NewReplacer(pairs...).Replace(version1)
}

const version1 = `
CREATE TABLE weir_runs (
	seq $SERIAL,
	id $UNIQUE_ID,
	limits $JSON NOT NULL,
	state $JSON NOT NULL,
	owner TEXT NOT NULL,
	lease_until $TIME,
	opened_at $TIME NOT NULL,
	log_count $BIGINT NOT NULL,
	log_head TEXT NOT NULL
);
CREATE TABLE weir_attempts (
	seq $SERIAL,
	attempt $UNIQUE_ID,
	run TEXT NOT NULL,
	call TEXT NOT NULL,
	number $BIGINT NOT NULL,
	actor TEXT NOT NULL,
	purpose TEXT NOT NULL,
	provider TEXT NOT NULL,
	model TEXT NOT NULL,
	status TEXT NOT NULL,
	recovered BOOLEAN NOT NULL,
	input_tokens $BIGINT,
	output_tokens $BIGINT,
	certainty TEXT NOT NULL,
	cost_micros $BIGINT NOT NULL,
	cost_certainty TEXT NOT NULL,
	failure_kind TEXT NOT NULL,
	failure_reason TEXT NOT NULL,
	dispatched_at $TIME NOT NULL,
	expires_at $TIME NOT NULL,
	completed_at $TIME,
	record $JSON NOT NULL
);
CREATE INDEX weir_attempts_run ON weir_attempts (run, seq);
CREATE INDEX weir_attempts_dispatched_at ON weir_attempts (dispatched_at);
CREATE INDEX weir_attempts_open ON weir_attempts (expires_at) WHERE status = 'dispatched';
CREATE TABLE weir_log (
	run TEXT NOT NULL,
	seq $BIGINT NOT NULL,
	kind TEXT NOT NULL,
	attempt TEXT NOT NULL,
	operation TEXT NOT NULL,
	at $TIME NOT NULL,
	body TEXT NOT NULL,
	state TEXT NOT NULL,
	previous TEXT NOT NULL,
	hash TEXT NOT NULL,
	PRIMARY KEY (run, seq)
);
`

// mistyped returns a query for each table of version 1: which runs have a value in it
// that SQLite took though it is of another type than the column.
func mistyped() []string {
	var queries []string
	for table := range strings.SplitSeq(version1, "CREATE TABLE ") {
		name, columns, _ := strings.Cut(table, " (\n")
		var wrong []string
		for column := range strings.Lines(columns) {
			words := strings.Fields(column)
			if !strings.HasPrefix(column, "\t") || words[0] == "PRIMARY" {
				continue
			}
			types := "'text'"
			if slices.Contains([]string{"$SERIAL", "$BIGINT", "BOOLEAN"}, strings.Trim(words[1], ",")) {
				types = "'integer'"
			}
			if len(words) == 2 && words[1] != "$SERIAL," && words[1] != "$UNIQUE_ID," {
				types += ", 'null'"
			}
			wrong = append(wrong, "typeof("+words[0]+") NOT IN ("+types+")")
		}
		run := "run"
		if name == "weir_runs" {
			run = "id"
		}
		if len(wrong) > 0 {
			queries = append(queries, "SELECT "+run+" FROM "+name+" WHERE "+strings.Join(wrong, " OR "))
		}
	}
	return queries
}

// migrate brings the tables up to date, or says why that cannot be.
func (l *Ledger) migrate(ctx context.Context) error {
	return l.retry(ctx, func(int) error {
		version, err := l.version(ctx, l.db)
		switch {
		case l.readOnly && (err != nil || version < len(l.dialect.migrations)):
			return firstOf(err, ledger.Unavailable(l.dialect.name+": the database holds no ledger, or one of an older version, and is opened to read only"))
		case err == nil && version == len(l.dialect.migrations):
			return nil
		case err == nil && version > len(l.dialect.migrations):
			return newer(l.dialect.name, version)
		}
		return l.transact(ctx, l.migrateIn)
	})
}

func newer(name string, version int) error {
	return ledger.Unavailable(name + ": the ledger is of version " + strconv.Itoa(version) + ", which is newer than this program")
}

// firstOf returns an error of the driver, or what it means when there is none.
func firstOf(err, otherwise error) error {
	if errors.Is(err, errNoTables) || err == nil {
		return otherwise
	}
	return err
}

// errNoTables says that a database holds no ledger.
var errNoTables = errors.New("there are no tables")

// version returns the version of the tables; errNoTables when there are none.
func (l *Ledger) version(ctx context.Context, db querier) (int, error) {
	exists := `SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'weir_schema'`
	if l.dialect.clock != "" {
		exists = `SELECT count(*) FROM pg_class WHERE oid = to_regclass('weir_schema')`
	}
	var tables, version int
	if err := db.QueryRowContext(ctx, exists).Scan(&tables); err != nil {
		return 0, err
	}
	if tables == 0 {
		return 0, errNoTables
	}
	err := db.QueryRowContext(ctx, `SELECT version FROM weir_schema`).Scan(&version)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return version, err
}

// migrateIn migrates in a transaction; of several processes one does.
func (l *Ledger) migrateIn(ctx context.Context, tx *sql.Tx) error {
	for _, step := range []string{l.dialect.guard, `CREATE TABLE IF NOT EXISTS weir_schema (version INTEGER NOT NULL)`} {
		if step == "" {
			continue
		}
		if _, err := tx.ExecContext(ctx, step); err != nil {
			return err
		}
	}
	var encoding string
	if err := tx.QueryRowContext(ctx, l.dialect.encoding).Scan(&encoding); err != nil {
		return err
	}
	if encoding != "UTF8" && encoding != "UTF-8" {
		return ledger.Unavailable(l.dialect.name + ": the database keeps text as " + encoding + ", and the ledger needs UTF-8")
	}
	version, err := l.version(ctx, tx)
	if err != nil {
		return err
	}
	return l.migrateFrom(ctx, tx, version)
}

func (l *Ledger) migrateFrom(ctx context.Context, tx *sql.Tx, version int) error {
	newest := len(l.dialect.migrations)
	if version > newest {
		return newer(l.dialect.name, version)
	}
	for _, migration := range l.dialect.migrations[version:] {
		for statement := range strings.SplitSeq(migration, ";\n") {
			if strings.TrimSpace(statement) == "" {
				continue
			}
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return err
			}
		}
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM weir_schema`); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO weir_schema (version) VALUES ($1)`, newest)
	return err
}
