// Package bedrock calls the models that Amazon Bedrock hosts.
//
//	model, err := bedrock.New(bedrock.Config{Key: key, Region: "us-east-1", Model: "us.amazon.nova-2-lite-v1:0"})
//
// The adapter names the endpoint, the credentials and what each model can do; the
// languages themselves are wire families of their own. It speaks two of them:
// ConverseStream, which is one language for every model ([Converse]), and
// InvokeModelWithResponseStream in the language of Anthropic's models
// ([InvokeMessages]), which has more of what those can do; its beta features are asked
// for in the body, by [MessagesExtraKey]: {"anthropic_beta":["..."]}. What other models
// speak there (Amazon Titan, Nova) is not spoken here: Converse is for them.
//
// A third, Anthropic's own Messages under
// https://bedrock-runtime.<region>.amazonaws.com/anthropic/v1 with a bearer key, is
// what package anthropic speaks to any host (aws-samples/sample-connector-for-bedrock,
// bedrock-runtime-anthropic, read 2026-12-01; not tried).
//
// # Credentials
//
// A request goes with an API key of Bedrock ([Config].Key, or its Token where
// it expires), or is signed by Signature Version 4 with the keys of an account, by
// AWS's own signer. These come from the caller, for instance from AWS's own
// configuration:
//
//	cfg, err := config.LoadDefaultConfig(ctx)
//	source := func(ctx context.Context) (bedrock.Credentials, error) {
//		c, err := cfg.Credentials.Retrieve(ctx)
//		return bedrock.Credentials{
//			AccessKeyID: c.AccessKeyID, SecretAccessKey: providers.Secret(c.SecretAccessKey), SessionToken: providers.Secret(c.SessionToken),
//		}, err
//	}
//
// Nothing here reads the environment or a file.
//
// # Turns
//
// Reasoning is signed or encrypted, and texts have citations: append a reply's Turn to the
// history as it is, with its Data. The two languages do not read each other's Data, and
// that of package anthropic is another provider's, refused or dropped as Request.Foreign
// says: Anthropic says that its signatures hold on every cloud
// (platform.claude.com/docs/en/build-with-claude/extended-thinking, a stored copy read
// 2026-12-01), but not that what else stands in Data does. A turn of nothing but reasoning is
// not sent back by [Converse]. Citations are as in package anthropic.
//
// # Tools and media
//
// [Converse] has Nova's own tools, in Config.SystemTools or as raw Request.HostedTools.
// [InvokeMessages] has the search for tools, by a beta, and none of Claude's other tools:
// a web search is left out with a Notice. Neither fetches by URL, but for Converse from S3.
//
// # Cache
//
// Models of Anthropic and Nova cache what request.Cache and Block.Cached mark (cachePoint by
// [Converse], cache_control by [InvokeMessages]), and Cache.Automatic marks the last block;
// Nova for five minutes, and not after the tools (not confirmed). What a model is known not to
// take is left out with a Notice. The usage counts what was read (CacheRead) and written
// (CacheWrite, and for an hour CacheWriteLong).
//
// # Money
//
// There is no table of prices: they differ by region, by tier and by the inference
// profile in the model's id, of which a reply tells nothing; give the caller your
// own. A stream whose client hangs up is billed in full (BerriAI/litellm issue 34147
// and pull request 36008, July and August 2026, from bills of AWS, read 2026-12-01;
// OpenRouter's list, see package openrouter, says the same), so a stopped stream costs what it
// would have cost, which nobody tells: a caller charges it by its estimate, the prompt and the
// whole output cap.
//
// No failure has the reason context_overflow: Bedrock tells an overlong prompt by
// its message alone, which is never matched, so it is rejected/bad_request.
package bedrock
