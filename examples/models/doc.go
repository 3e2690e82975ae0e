// Package models opens a model of any provider by a name that people write, like
// "groq:llama-3.3-70b-versatile", with the key from the environment, and tells what it
// costs. It is the registry that weir itself does not have, for programs whose user
// chooses the provider: the other examples use it, and yours may start from a copy.
//
//	model, prices, err := models.Open("gemini:gemini-3.8-flash", os.Getenv)
//
// It is no part of the library: it knows nothing that the adapters' own Configs do not
// take, and a program with one provider is better off with that provider's package.
package models
