package bedrock

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"github.com/weirsdk/weir/providers/transport"
)

// service is the name that requests are signed for
// (github.com/aws/aws-sdk-go-v2/service/bedrockruntime v1.63.13, auth.go, read
// 2026-12-01).
const service = "bedrock"

// authorize adds the credential of one call to its header, and tells its secrets.
func (m *Model) authorize(ctx context.Context, call *transport.Call) error {
	auth := m.auth()
	switch {
	case auth.source != nil:
		c, err := auth.source.ask(ctx)
		if err != nil {
			return err
		}
		call.Secrets = append(call.Secrets, string(c.SecretAccessKey), string(c.SessionToken))
		return sign(ctx, call, c, m.region)
	case auth.token != nil:
		token, err := transport.Token(ctx, Provider, auth.token)
		if err != nil {
			return err
		}
		auth.key = token
	}
	if auth.key != "" {
		call.Secrets = append(call.Secrets, string(auth.key))
		call.Header.Set("Authorization", "Bearer "+string(auth.key))
	}
	return nil
}

// sign signs the call by Signature Version 4: its method, its address, its body and
// every header that is there.
func sign(ctx context.Context, call *transport.Call, c Credentials, region string) error {
	req, err := http.NewRequestWithContext(ctx, cmp.Or(call.Method, http.MethodPost), call.URL, nil)
	if err != nil {
		return transport.BadConfig(Provider, "the endpoint is no URL")
	}
	req.Header = call.Header
	req.ContentLength = int64(len(call.Body))
	sum := sha256.Sum256(call.Body)
	keys := aws.Credentials{
		AccessKeyID: c.AccessKeyID, SecretAccessKey: string(c.SecretAccessKey), SessionToken: string(c.SessionToken),
	}
	if err := v4.NewSigner().SignHTTP(ctx, keys, req, hex.EncodeToString(sum[:]), service, region, time.Now()); err != nil {
		return transport.BadConfig(Provider, "the request cannot be signed")
	}
	return nil
}
