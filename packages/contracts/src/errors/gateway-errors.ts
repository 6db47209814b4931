/** Error table rows for the model gateway. */
export const GATEWAY_ERRORS = {
  "gateway.token_missing": [
    "unauthorized",
    "The request has no token.",
    "Send the token of the run as the API key of the model.",
    "final",
  ],
  "gateway.token_unknown": [
    "unauthorized",
    "The token does not belong to the run of this address.",
    "Use the address and the token that the run was given.",
    "final",
  ],
  "gateway.token_expired": [
    "unauthorized",
    "The token is no longer valid, because its run has ended.",
    "Start a new run.",
    "final",
  ],
  "gateway.path_refused": [
    "not_found",
    "{method} {path} is not an endpoint that the model gateway serves.",
    "Use Anthropic's Messages API, OpenAI's Responses or Chat Completions API, or the Gemini API.",
  ],
  "gateway.request_refused": [
    "validation",
    "The model gateway refused the request: {problem}",
    "Send the request as the API of the model documents it.",
  ],
  "gateway.request_too_large": [
    "validation",
    "The request is larger than {maxBytes} bytes.",
    "Send less content, or raise the limit of the gateway.",
    "http413",
  ],
  "gateway.model_refused": [
    "policy_denied",
    "The run may not use the model {model}.",
    "Use one of the models of the run: {allowed}.",
    "final",
  ],
  "gateway.no_upstream": [
    "not_available",
    "The gateway has no provider for the model {model} with the API {api}.",
    "Configure a provider with that API, or use another model.",
    "final",
  ],
  "gateway.budget_exceeded": [
    "budget_exceeded",
    "The run has used its budget of {limit} {unit}.",
    "Start the run again with a larger budget.",
    "final",
    "http402",
  ],
  "gateway.price_unknown": [
    "budget_exceeded",
    "The run has a cost budget, but the price of the model {model} with these settings is unknown.",
    "Configure the price of the model, or limit tokens or calls instead of costs.",
    "final",
    "http402",
  ],
  "gateway.too_many_calls": [
    "rate_limit",
    "The run has {limit} model calls in progress, which is its limit.",
    "Wait until one of the calls ends.",
  ],
  "gateway.key_rejected": [
    "not_available",
    "{provider} rejected the API key of the gateway (HTTP {status}).",
    "Check the API key that the gateway was configured with.",
    "final",
  ],
  "gateway.upstream_failed": ["not_available", "{provider} failed: {problem}", "Run again later."],
  "gateway.upstream_timeout": [
    "timeout",
    "{provider} sent nothing for {timeoutMs} ms.",
    "Run again, or allow more time.",
  ],
  "gateway.response_too_large": [
    "not_available",
    "The response of {provider} is larger than {maxBytes} bytes.",
    "Request less in one response, or raise the limit of the gateway.",
    "final",
  ],
  "gateway.client_stalled": [
    "timeout",
    "The engine did not read a response for {timeoutMs} ms.",
    "Read responses to their end, or close the connection.",
    "final",
  ],
  "gateway.call_aborted": [
    "aborted",
    "The model call was cancelled, because {problem}.",
    "Start the call again if it is still needed.",
    "final",
  ],
} as const;
