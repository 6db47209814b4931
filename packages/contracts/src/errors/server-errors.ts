/** Error table rows for requests that the server rejects. */
export const SERVER_ERRORS = {
  "server.insecure": [
    "policy_denied",
    "The server does not listen on {host} without tokens: whoever reaches that address could run things here.",
    "Pass --tokens with a file of tokens, or listen on 127.0.0.1.",
    "final",
    "exit2",
  ],
  "server.invalid_tokens": [
    "validation",
    "The file of tokens {path} cannot be used: {problem}",
    "Write one token a line, at least 16 characters each, into a file that you alone can read.",
  ],
  "server.cannot_listen": [
    "validation",
    "The server cannot listen on {host}, port {port}: {problem}",
    "Choose another --port or --host.",
  ],
  "server.bad_request": [
    "validation",
    "The request cannot be read: {problem}",
    "Send a SessionInput as JSON, or as the part `payload` of multipart/form-data with files as parts `files`.",
  ],
  "server.unauthorized": [
    "unauthorized",
    "The request has no token that this server knows.",
    "Send the header `Authorization: Bearer TOKEN` with one of the server's tokens.",
  ],
  "server.forbidden": [
    "forbidden",
    "The request was refused: {problem}",
    "Call the server by its own address, and not from a web page.",
  ],
  "server.no_route": ["not_found", "There is nothing at this address.", "Read /openapi.json for what there is."],
  "server.method_not_allowed": [
    "validation",
    "This address does not take the method {method}.",
    "Use {allowed}.",
    "http405",
  ],
  "server.unsupported_media_type": [
    "validation",
    "The server does not take bodies of this kind: {problem}",
    "Send application/json or multipart/form-data, neither compressed.",
    "http415",
  ],
  "server.body_too_large": [
    "validation",
    "The request is too large: {problem}",
    "Send fewer or smaller files, or start the server with a larger --max-body.",
    "http413",
  ],
  "server.request_timeout": [
    "timeout",
    "The request did not arrive in time: {timeoutMs} ms.",
    "Send it again, without pauses.",
    "http408",
  ],
  "server.busy": [
    "rate_limit",
    "The server works on as many runs as it takes at once: {concurrency}.",
    "Wait for the time of the header Retry-After and send it again.",
  ],
  "server.bad_parameter": [
    "validation",
    "The parameter {name} cannot be used: {problem}",
    "Read /openapi.json for what it may be.",
  ],
  "server.bad_body": [
    "validation",
    "The body of the request cannot be used: {problem}",
    "Read /openapi.json for what it may hold.",
  ],
  "server.missing_scope": [
    "forbidden",
    "The token may not do this: it lacks the scope {scope}.",
    "Use a token that has it.",
    "final",
  ],
  "server.unknown_run": ["not_found", "There is no run {runId}.", "List your runs with GET /v1/runs.", "final"],
  "server.unknown_artifact": [
    "not_found",
    "The run {runId} has no artifact at this path.",
    "List its artifacts with GET /v1/runs/{runId}/artifacts.",
    "final",
  ],
  "server.run_at_work": [
    "conflict",
    "The run {runId} is still at work.",
    "Wait until it is over, or interrupt it first.",
  ],
  "server.run_not_at_work": [
    "conflict",
    "Nobody works on the run {runId} here: it is {status}.",
    "Look at it with GET /v1/runs/{runId}; resume it where that says that it can be.",
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
    "There were too many requests: {limit} a minute are allowed.",
    "Wait for the time of the header Retry-After and send it again.",
  ],
  "server.too_many_attempts": [
    "rate_limit",
    "There were too many requests with an unknown token from this address: {limit} a minute are allowed.",
    "Check the token, wait for the time of the header Retry-After and send the request again.",
  ],
  "server.too_many_connections": [
    "rate_limit",
    "There are as many connections with requests in progress as are allowed: {limit}.",
    "Wait until a request is answered, or reuse connections.",
  ],
  "server.queue_full": [
    "rate_limit",
    "As many runs wait as the queue takes: {limit}.",
    "Wait for the time of the header Retry-After and send it again.",
  ],
  "server.too_many_streams": [
    "rate_limit",
    "As many event streams are open as a caller may have: {limit}.",
    "Close one of them first.",
  ],
  "server.draining": [
    "not_available",
    "The server is about to stop and takes no new runs.",
    "Send it to another server, or again after the time of the header Retry-After.",
  ],
  "server.refused": [
    "internal",
    "The server refused the request: {problem}",
    "Use a client of the server's version to learn more.",
  ],
  "server.unreachable": [
    "not_available",
    "The server at {url} was not reached: {problem}",
    "Check its address and that it runs, then try again.",
  ],
  "server.bad_answer": [
    "internal",
    "The server at {url} answered in an unknown way: {problem}",
    "Check that the address is that of a Switchyard server of this version.",
  ],
} as const;
