/** Rows of the error table about models and their recordings: class, message, remedy, deviations from the class. */
export const MODEL_ERRORS = {
  "model.invalid_name": [
    "validation",
    "{model} is not a model reference.",
    "Write provider/name, for example anthropic/claude-sonnet-4-5.",
  ],
  "model.unknown_provider": [
    "validation",
    "There is no model provider named {provider}; known providers: {known}.",
    "Write provider/name with one of the known providers.",
  ],
  "model.missing_key": [
    "unauthorized",
    "No API key was found for {provider}.",
    "Set {variable}, or try `switchyard demo`, which needs no key.",
    "final",
    "exit2",
  ],
  "model.not_configured": [
    "validation",
    "No model was chosen.",
    "Pass --model provider/name, or set one of {variables}.",
  ],
  "llm.authentication": [
    "unauthorized",
    "{provider} refused the API key (HTTP {status}): {problem}",
    "Check {variable}.",
  ],
  "llm.access_denied": [
    "forbidden",
    "{provider} denied access (HTTP {status}): {problem}",
    "Check that the key may use the model {model}.",
  ],
  "llm.not_found": [
    "not_found",
    "{provider} answered HTTP 404 at {url}: {problem}",
    "Check the model name {model} and the base URL, version prefix included.",
  ],
  "llm.invalid_request": [
    "validation",
    "{provider} rejected the request (HTTP {status}): {problem}",
    "Check the model's options; recording.jsonl in the run folder holds the request.",
    "exit3",
  ],
  "llm.context_length": [
    "validation",
    "The conversation is longer than {model} accepts: {problem}",
    "Start a new run or choose a model with a larger context window.",
    "exit3",
  ],
  "llm.rate_limited": [
    "rate_limit",
    "{provider} limits the rate of requests (HTTP {status}): {problem}",
    "Wait and run again, or lower the concurrency.",
  ],
  "llm.quota_exceeded": [
    "budget_exceeded",
    "The quota at {provider} is used up: {problem}",
    "Check the plan and billing of the account.",
    "final",
  ],
  "llm.content_filtered": ["policy_denied", "{provider} withheld the answer: {problem}", "Rephrase the task.", "final"],
  "llm.server_error": ["not_available", "{provider} failed (HTTP {status}): {problem}", "Run again later."],
  "llm.request_timeout": [
    "timeout",
    "{provider} did not answer within {timeoutMs} ms.",
    "Run again, or allow more time.",
  ],
  "llm.stream_stalled": ["timeout", "The answer from {provider} stopped for {timeoutMs} ms.", "Run again."],
  "llm.stream_broken": [
    "not_available",
    "The answer from {provider} broke off: {problem}",
    "Run again; what had arrived is in the events.",
  ],
  "llm.network": [
    "not_available",
    "{url} cannot be reached: {problem}",
    "Check the network, the proxy and the base URL.",
  ],
  "llm.aborted": ["aborted", "The model call was cancelled.", "Start it again when you are ready.", "final"],
  "llm.invalid_response": [
    "not_available",
    "{provider} sent an answer that cannot be understood: {problem}",
    "Check that the base URL speaks the API of {provider}.",
    "retry",
  ],
  "llm.answer_too_large": [
    "not_available",
    "The answer from {provider} is longer than {maxChars} characters.",
    "Ask for less in one answer.",
  ],
  "llm.unsupported_tool_choice": [
    "validation",
    "{provider} does not support the tool choice {choice}.",
    "Use auto, none, required or the name of a tool.",
  ],
  "llm.no_object": [
    "internal",
    "The model did not produce the requested object: {problem}",
    "Ask again or simplify the schema.",
    "retry",
  ],
  "llm.unsupported_part": [
    "validation",
    "{provider} does not accept a part of type {part}.",
    "Remove the part or choose another provider.",
  ],
  "llm.unknown": [
    "internal",
    "{provider} failed: {problem}",
    "Run again; recording.jsonl in the run folder tells more.",
    "retry",
  ],
  "cassette.malformed": ["validation", "The recording {path} is invalid: {problem}", "Record it again."],
  "cassette.mismatch": [
    "conflict",
    "Model call {index} does not match the recording: {problem}",
    "Record again if the change is intended.",
    "final",
  ],
  "cassette.exhausted": [
    "conflict",
    "Model call {index} is not in the recording, which has {calls}.",
    "Record again if the change is intended.",
    "final",
  ],
  "cassette.unused": [
    "conflict",
    "{unused} recorded model calls were never made.",
    "Record again if the change is intended.",
    "final",
  ],
} as const;
