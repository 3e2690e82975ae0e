package caller

import (
	"context"
	"log/slog"
	"time"

	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/events"
)

// NewLogObserver returns an observer that logs: settled attempts at Info, or at Warn
// when they failed; refusals, retries, latches and fallbacks at Warn; everything else
// at Debug. It logs no content: no prompt, no reply, no arguments.
func NewLogObserver(log *slog.Logger) Observer {
	return ObserverFunc(func(ctx context.Context, step Step) {
		level := levelOf(step)
		if log.Enabled(ctx, level) {
			log.LogAttrs(ctx, level, "model call "+string(step.Kind), attrsOf(step)...)
		}
	})
}

func levelOf(step Step) slog.Level {
	switch step.Kind {
	case StepRefused, StepRetried, StepLatched, StepFellBack, StepCorrected:
		return slog.LevelWarn
	case StepSettled:
		if step.Failure != nil || step.Attempt.Unbooked != nil {
			return slog.LevelWarn
		}
		return slog.LevelInfo
	default:
		return slog.LevelDebug
	}
}

func attrsOf(step Step) []slog.Attr {
	attrs := []slog.Attr{slog.String("call", step.Call), slog.String("model", step.Model)}
	text := func(key, value string) {
		if value != "" {
			attrs = append(attrs, slog.String(key, value))
		}
	}
	duration := func(key string, d time.Duration) {
		if d > 0 {
			attrs = append(attrs, slog.Duration(key, d))
		}
	}
	text("attempt", step.Attempt.ID)
	text("run", step.Run)
	text("actor", step.Scope.Actor)
	text("purpose", step.Scope.Purpose)
	text("feature", step.Feature)
	duration("wait", step.Wait)
	duration("elapsed", step.Elapsed)
	if step.Kind == StepSettled {
		attrs = append(attrs, chargeAttrs(step.Attempt)...)
	}
	if f := step.Failure; f != nil {
		text("failure", string(f.Kind))
		text("reason", string(f.Reason))
		text("detail", f.Detail)
	}
	if err := step.Attempt.Unbooked; err != nil {
		text("unbooked", ledgerFailure(err).Error()) // the ledger's own words may hold an address
	}
	return attrs
}

// chargeAttrs leaves out what is unknown.
func chargeAttrs(a Attempt) []slog.Attr {
	s := a.Settlement
	attrs := []slog.Attr{slog.String("status", string(s.Status)), slog.String("certainty", string(s.Certainty))}
	for _, c := range []struct {
		key   string
		count events.Count
	}{{"input_tokens", s.Usage.Input}, {"output_tokens", s.Usage.Output}} {
		if n, known := c.count.Get(); known {
			attrs = append(attrs, slog.Int64(c.key, n))
		}
	}
	if s.CostCertainty != unknownCost {
		attrs = append(attrs, slog.String("cost", s.Cost.String()))
	}
	if s.CostCertainty != charge.None {
		attrs = append(attrs, slog.String("cost_certainty", string(s.CostCertainty)))
	}
	return attrs
}
