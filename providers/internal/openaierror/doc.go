// Package openaierror reads the error objects of OpenAI's APIs and of all who speak
// like them, and says what they mean, for the wire families that share them. It is
// pure, and knows nothing of a stream but that an error may stand in one.
package openaierror
