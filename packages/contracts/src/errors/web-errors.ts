/** Error table rows for fetching web pages. */
export const WEB_ERRORS = {
  "web.invalid_url": [
    "validation",
    "The URL {url} cannot be fetched: {problem}",
    "Use a complete URL that begins with http:// or https:// and contains no user name or password.",
    "exit1",
  ],
  "web.address_refused": [
    "policy_denied",
    "{host} was not fetched, because it resolves to {address}, which is not a public address.",
    "Use a public address. The host can allow individual origins of its own network.",
    "final",
    "exit1",
  ],
  "web.too_many_redirects": [
    "not_available",
    "{url} was redirected more than {limit} times.",
    "Use the final URL.",
    "final",
    "exit1",
  ],
  "web.unsupported_type": [
    "validation",
    "{url} has the type {mediaType}, which is not text.",
    "Fetch a text page, or download it with a command.",
    "exit1",
  ],
  "web.too_large": [
    "validation",
    "{url} is larger than {maxBytes} bytes.",
    "Fetch something smaller, or raise the limit.",
    "exit1",
  ],
  "web.timeout": [
    "timeout",
    "{url} did not arrive within {timeoutMs} ms.",
    "Retry later, or allow more time.",
    "exit1",
  ],
  "web.failed": [
    "not_available",
    "{url} could not be fetched: {problem}",
    "Check the URL and the network, then retry.",
    "exit1",
  ],
} as const;
