/** Error table rows for requests that the server rejects. */
export const SERVER_ERRORS = {
  "server.insecure": [
    "policy_denied",
    "The server cannot listen on {host} without tokens, because anyone who can connect could run code here.",
    "Pass a token file with `--tokens` or an OpenID Connect configuration with `--oidc`, or listen on 127.0.0.1.",
    "final",
    "exit2",
  ],
  "server.invalid_tokens": [
    "validation",
    "The token file {path} is invalid: {problem}",
    "Write one token per line, at least 16 characters each, to a file that only you can read.",
  ],
  "server.invalid_oidc": [
    "validation",
    "The OpenID Connect configuration {path} is invalid: {problem}",
    "Correct the field. The guide `Control access to a server` lists all fields.",
  ],
  "server.issuer_unreadable": [
    "not_available",
    "The keys of the token issuer {issuer} cannot be read: {problem}",
    "Check the issuer's URL, and that this machine can reach it. The server tries again with the next request.",
  ],
  "server.audit_log_failed": [
    "internal",
    "The audit log {path} cannot be written: {problem}",
    "Free disk space, or name a file that only the server's user can read and write.",
    "exit2",
  ],
  "server.audit_unavailable": [
    "not_available",
    "The server accepts no requests at the moment, because it cannot write its audit log.",
    "Wait for the time in the `Retry-After` header, then retry.",
  ],
  "server.cannot_listen": [
    "validation",
    "The server cannot listen on {host}, port {port}: {problem}",
    "Choose another `--port` or `--host`.",
  ],
  "server.bad_request": [
    "validation",
    "The request cannot be read: {problem}",
    "Send a `SessionInput` as JSON, or as the part `payload` of multipart/form-data with files as parts `files`.",
  ],
  "server.unauthorized": [
    "unauthorized",
    "The request has no valid token.",
    "Send the header `Authorization: Bearer TOKEN` with one of the server's tokens.",
  ],
  "server.invalid_token": [
    "unauthorized",
    "The token was rejected: {problem}.",
    "Get a new token for this server from your identity provider.",
  ],
  "server.issuer_unavailable": [
    "not_available",
    "The server cannot check the token at the moment, because the keys of the token's issuer are not available.",
    "Wait for the time in the `Retry-After` header, then retry.",
  ],
  "server.forbidden": [
    "forbidden",
    "The request was rejected: {problem}",
    "Call the server by its own host name, and not from another website.",
  ],
  "server.no_route": ["not_found", "This path does not exist.", "Read /openapi.json for the available paths."],
  "server.method_not_allowed": [
    "validation",
    "This path does not support the method {method}.",
    "Use {allowed}.",
    "http405",
  ],
  "server.unsupported_media_type": [
    "validation",
    "The server does not support this type of body: {problem}",
    "Send application/json or multipart/form-data, without compression.",
    "http415",
  ],
  "server.body_too_large": [
    "validation",
    "The request is too large: {problem}",
    "Send fewer or smaller files, or start the server with a larger `--max-body`.",
    "http413",
  ],
  "server.request_timeout": [
    "timeout",
    "The request did not arrive within {timeoutMs} ms.",
    "Send it again, without pauses.",
    "http408",
  ],
  "server.busy": [
    "rate_limit",
    "The server has reached its limit of {concurrency} concurrent runs.",
    "Wait for the time in the `Retry-After` header, then retry.",
  ],
  "server.bad_parameter": [
    "validation",
    "The parameter {name} is invalid: {problem}",
    "Read /openapi.json for the allowed values.",
  ],
  "server.bad_body": ["validation", "The request body is invalid: {problem}", "Read /openapi.json for its schema."],
  "server.missing_role": [
    "forbidden",
    "The token does not allow this, because it has none of these roles: {roles}.",
    "Use a token that has one of these roles.",
    "final",
  ],
  "server.unknown_run": [
    "not_found",
    "The run {runId} does not exist.",
    "List your runs with `GET /v1/runs`.",
    "final",
  ],
  "server.unknown_artifact": [
    "not_found",
    "The run {runId} has no artifact at this path.",
    "List its artifacts with `GET /v1/runs/{runId}/artifacts`.",
    "final",
  ],
  "server.no_patch": [
    "not_found",
    "The run {runId} has no patch, because its changes are not known exactly.",
    "Read the field `workspace_diff` and the warnings of the run.",
    "final",
  ],
  "server.run_at_work": [
    "conflict",
    "The run {runId} has not ended yet.",
    "Wait until it ends, or interrupt it first.",
  ],
  "server.run_not_at_work": [
    "conflict",
    "The run {runId} is not running on this server. Its status is {status}.",
    "Read it with `GET /v1/runs/{runId}`, and resume it if it is resumable.",
    "final",
  ],
  "server.key_reused": [
    "validation",
    "The Idempotency-Key was used for another request.",
    "Use a new key for a new request.",
    "http422",
  ],
  "server.rate_limited": [
    "rate_limit",
    "The limit of {limit} requests per minute was exceeded.",
    "Wait for the time in the `Retry-After` header, then retry.",
  ],
  "server.too_many_attempts": [
    "rate_limit",
    "This address exceeded the limit of {limit} requests per minute with an unknown token.",
    "Check the token, wait for the time in the `Retry-After` header, then retry.",
  ],
  "server.too_many_connections": [
    "rate_limit",
    "The limit of {limit} connections with requests in progress was reached.",
    "Wait until a request has completed, or reuse connections.",
  ],
  "server.queue_full": [
    "rate_limit",
    "The queue has reached its limit of {limit} waiting runs.",
    "Wait for the time in the `Retry-After` header, then retry.",
  ],
  "server.owner_limit": [
    "rate_limit",
    "The owner of the run has reached the limit of {limit} {unit}.",
    "Retry after the time in the `Retry-After` header, or create the run with POST /v1/runs, which waits in the queue.",
  ],
  "server.too_many_streams": [
    "rate_limit",
    "The caller has reached the limit of {limit} open event streams.",
    "Close one of them first.",
  ],
  "server.draining": [
    "not_available",
    "The server is shutting down and accepts no new runs.",
    "Use another server, or retry after the time in the `Retry-After` header.",
  ],
  "server.refused": [
    "internal",
    "The server rejected the request: {problem}",
    "Use a client of the server's version, which knows the error code.",
  ],
  "server.unreachable": [
    "not_available",
    "The server at {url} cannot be reached: {problem}",
    "Check its address and that it is running, then retry.",
  ],
  "server.bad_answer": [
    "internal",
    "The server at {url} sent an invalid response: {problem}",
    "Check that the URL is that of a Switchyard server of this version.",
  ],
} as const;
