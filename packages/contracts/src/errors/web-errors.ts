/** Error table rows for fetching web pages. */
export const WEB_ERRORS = {
  "web.invalid_url": [
    "validation",
    "The address {url} cannot be fetched: {problem}",
    "Use a whole address that begins with http:// or https:// and has no user name or password in it.",
    "exit1",
  ],
  "web.address_refused": [
    "policy_denied",
    "{host} is not fetched: it leads to {address}, which is no public address.",
    "Use a public address; a host may allow single origins of its own network.",
    "final",
    "exit1",
  ],
  "web.too_many_redirects": [
    "not_available",
    "{url} was redirected more than {limit} times.",
    "Use the address it leads to in the end.",
    "final",
    "exit1",
  ],
  "web.unsupported_type": [
    "validation",
    "{url} is of the type {mediaType}, which is no text.",
    "Fetch a page of text, or download it with a command.",
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
    "Try again later, or give it more time.",
    "exit1",
  ],
  "web.failed": [
    "not_available",
    "{url} could not be fetched: {problem}",
    "Check the address and the network, then try again.",
    "exit1",
  ],
} as const;
