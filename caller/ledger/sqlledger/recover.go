package sqlledger

import (
	"context"
	"database/sql"

	"github.com/weirsdk/weir/caller/ledger"
)

// Recover books the attempts whose time is over, run by run. When it fails it
// returns what it has booked until then, beside the failure.
func (l *Ledger) Recover(ctx context.Context) ([]ledger.Record, error) {
	runs, err := l.expired(ctx)
	if err != nil {
		return nil, err
	}
	var all []ledger.Record
	for _, run := range runs {
		records, err := l.recoverRun(ctx, run)
		all = append(all, records...)
		if err != nil {
			return all, err
		}
	}
	return all, nil
}

// expired returns the runs with attempts whose time is over.
func (l *Ledger) expired(ctx context.Context) ([]string, error) {
	var runs []string
	err := l.retry(ctx, func(int) error {
		now, err := l.now(ctx)
		if err != nil {
			return err
		}
		runs, err = texts(ctx, l.db, `SELECT DISTINCT run FROM weir_attempts WHERE status = 'dispatched' AND expires_at <= $1 ORDER BY run`, l.dialect.time(now.Time))
		return err
	})
	return runs, err
}

// now reads the clock of the store.
func (l *Ledger) now(ctx context.Context) (sql.NullTime, error) {
	var now sql.NullTime
	if l.dialect.clock != "" {
		if err := l.db.QueryRowContext(ctx, `SELECT `+l.dialect.clock).Scan(&now); err != nil {
			return now, err
		}
	}
	return sql.NullTime{Time: l.storeTime(now), Valid: true}, nil
}

func (l *Ledger) recoverRun(ctx context.Context, run string) ([]ledger.Record, error) {
	var booked []ledger.Record
	err := l.change(ctx, subject{run: run}, func(ctx context.Context, c *change) error {
		booked = nil
		done, err := c.did(ctx, kindRecovered)
		if err != nil {
			return err
		}
		query, args := `SELECT record FROM weir_attempts WHERE run = $1 AND status = 'dispatched' AND expires_at <= $2 ORDER BY seq`, []any{run, l.dialect.time(c.now)}
		if done {
			query, args = `SELECT body FROM weir_log WHERE run = $1 AND operation = $2 AND kind = 'recovered' ORDER BY seq`, []any{run, c.operation}
		}
		found, err := texts(ctx, c.tx, query, args...)
		if err != nil {
			return err
		}
		for _, text := range found {
			record, err := decode[ledger.Record](text)
			if err != nil {
				return err
			}
			if !done {
				var over bool
				if record, over = c.run.Recover(record, c.now); !over {
					continue
				}
				if err := c.put(ctx, kindRecovered, record); err != nil {
					return err
				}
			}
			booked = append(booked, record)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return booked, nil
}

// texts returns the one column of a query.
func texts(ctx context.Context, db querier, text string, args ...any) ([]string, error) {
	var all []string
	err := each(ctx, db, query{text, args}, func(row scanner) error {
		all = append(all, "")
		return row.Scan(&all[len(all)-1])
	})
	return all, err
}
