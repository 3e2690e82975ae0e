package chatwire

import (
	"net/http"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/openaierror"
)

// FailureOf maps an answer that is no stream to its failure, as
// [openaierror.FailureOf] does.
func FailureOf(status int, header http.Header, body []byte) *events.Failure {
	return openaierror.FailureOf(status, header, body)
}
