import type { IncomingMessage } from "node:http";

/** Headers that concern one connection, and are therefore not forwarded. RFC 9110, 7.6.1. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect",
]);
/** Headers that are forwarded even if `Connection` names them, because they delimit or address the message. */
const ESSENTIAL: ReadonlySet<string> = new Set(["host", "content-length"]);

/** Returns the values of all headers with a lower-case name, in order. */
export function headersNamed({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}

/**
 * Returns the headers of a message that are forwarded, as a list in which each name is followed by its value. Omits
 * headers that concern one connection, and the headers in `omitted`. The body keeps its framing: its length, or chunks.
 */
export function forwardedHeaders(message: IncomingMessage, omitted: readonly string[] = []): string[] {
  const named = headersNamed(message, "connection").flatMap((value) => value.split(","));
  const dropped = new Set(named.map((name) => name.trim().toLowerCase()).filter((name) => !ESSENTIAL.has(name)));
  for (const name of [...HOP_BY_HOP, ...omitted]) dropped.add(name);
  const headers: string[] = [];
  for (let index = 0; index + 1 < message.rawHeaders.length; index += 2) {
    const [name = "", value = ""] = message.rawHeaders.slice(index, index + 2);
    if (!dropped.has(name.toLowerCase())) headers.push(name, value);
  }
  // Node does not delimit the body of some methods, such as GET, unless this header is set.
  if (headersNamed(message, "transfer-encoding").length > 0) headers.push("Transfer-Encoding", "chunked");
  return headers;
}
