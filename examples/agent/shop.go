package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/request"
)

// A shop is what the tools know. One of them asks a cheap model of its own.
type shop struct {
	articles map[string]article
	cheap    *caller.Caller
}

// An article is one thing on the shelves.
type article struct {
	SKU         string `json:"sku"`
	InStock     int    `json:"in_stock"`
	PriceCents  int64  `json:"price_cents"`
	WeightGrams int    `json:"weight_grams"`
	Fragile     bool   `json:"fragile"`
	notes       string
}

func newShop(cheap *caller.Caller) *shop {
	return &shop{cheap: cheap, articles: map[string]article{
		"KETTLE-2": {SKU: "KETTLE-2", InStock: 40, PriceCents: 3490, WeightGrams: 1250, notes: "Stack at most six high."},
		"LAMP-7":   {SKU: "LAMP-7", InStock: 5, PriceCents: 5900, WeightGrams: 1400, Fragile: true, notes: lampNotes},
		"ROPE-30":  {SKU: "ROPE-30", InStock: 12, PriceCents: 2250, WeightGrams: 2100, notes: "Keep dry."},
	}}
}

const lampNotes = `2 March: three of ten arrived with cracked shades, all from the parcels with paper filling.
9 March: second batch in foam corners, none cracked. The supplier asks for foam from now on.
30 March: two customers abroad could not use the plug. An adapter is in the drawer under the counter, one for each lamp.
4 May: do not stack. The carrier refuses claims when the box has no "this side up" on two sides.
18 June: the bulb is not in the box any more. Say so before the sale, we had returns.`

// tools returns the shop's tools.
func (s *shop) tools() (caller.Tools, error) {
	inventory, err1 := caller.NewTool("inventory", "Stock, price and weight of one article.", s.inventory)
	shipping, err2 := caller.NewTool("shipping", "Price and days of one parcel.", s.shipping)
	handling, err3 := caller.NewTool("handling", "What is known about packing and selling an article.", s.handling)
	return caller.Tools{inventory, shipping, handling}, errors.Join(err1, err2, err3)
}

type inventoryArguments struct {
	SKU string `json:"sku"`
}

func (s *shop) inventory(_ context.Context, a inventoryArguments) (string, error) {
	found, ok := s.articles[a.SKU]
	if !ok {
		return "", fmt.Errorf("no article %q", a.SKU)
	}
	text, err := json.Marshal(found)
	return string(text), err
}

type shippingArguments struct {
	WeightKg float64 `json:"weight_kg"`
	Country  string  `json:"country" enum:"DE,GB,NO,SE"`
}

func (s *shop) shipping(_ context.Context, a shippingArguments) (string, error) {
	if a.WeightKg <= 0 || a.WeightKg > 30 {
		return "", errors.New("a parcel weighs up to 30 kg")
	}
	return fmt.Sprintf(`{"price_cents":%d,"days":4}`, 900+int64(math.Ceil(a.WeightKg*125))), nil
}

// handling has the notes summed up by the cheap model. It is another caller, but the
// context holds the run: the call is booked there, under a purpose of its own.
func (s *shop) handling(ctx context.Context, a inventoryArguments) (string, error) {
	found, ok := s.articles[a.SKU]
	if !ok {
		return "", fmt.Errorf("no article %q", a.SKU)
	}
	result, err := s.cheap.Generate(caller.WithScope(ctx, caller.Scope{Purpose: "summary"}), request.Request{
		System:          "Sum up in one sentence what matters for packing and selling the article.",
		Messages:        []request.Message{request.UserText(found.notes)},
		MaxOutputTokens: 300,
		Effort:          request.EffortOff,
	})
	return result.Reply.Text(), err
}
