import type { EgressDecision } from "../egress-decision.ts";

/** Reason phrases of the HTTP statuses with which the proxy refuses requests. */
export const REASON_PHRASES = {
  400: "Bad Request",
  403: "Forbidden",
  408: "Request Timeout",
  431: "Request Header Fields Too Large",
  502: "Bad Gateway",
  503: "Service Unavailable",
} as const;

/** HTTP status of a refusal. */
export type RefusalStatus = keyof typeof REASON_PHRASES;

/** Returns the HTTP status that explains a decision: 400, 403, 408, 502 or 503. */
export function statusOf({ reason, verdict }: EgressDecision): RefusalStatus {
  if (verdict === "failed") return 502;
  if (reason === "request_invalid") return 400;
  if (reason === "timeout") return 408;
  return reason === "too_many_connections" ? 503 : 403;
}

/** Headers of every refusal. By these headers, programs can tell a refusal by the proxy from a response of a server. */
export const REFUSAL_HEADERS = {
  "content-type": "text/plain; charset=utf-8",
  "proxy-status": "switchyard; error=http_request_denied",
  connection: "close",
} as const;

/** Returns a complete HTTP response with an explanation as its body. */
export function renderRefusal(status: RefusalStatus, message: string): string {
  const body = `${message}\n`;
  const headers = Object.entries({ ...REFUSAL_HEADERS, "content-length": Buffer.byteLength(body) });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${REASON_PHRASES[status]}\r\n${lines.join("")}\r\n${body}`;
}
