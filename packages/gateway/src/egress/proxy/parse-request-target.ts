import type { IncomingMessage } from "node:http";
import type { EgressReason } from "../egress-decision.ts";
import { parseAuthority } from "../rules/parse-host.ts";
import { headersNamed } from "./forwarded-headers.ts";

const HTTP_PORT = 80;
const ABSOLUTE = /^http:\/\/([^/?#]*)(\/[^#]*|\?[^#]*)?$/i;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/** Target of a request in plain HTTP, or the reason why the request is refused. */
export type RequestTarget =
  | { readonly host: string; readonly port: number; readonly path: string }
  | { readonly host: string; readonly reason: EgressReason; readonly detail: string };

/**
 * Reads the target of a request in plain HTTP. The request must name a complete URL with the scheme `http`, and exactly
 * one `Host` header that equals the host and port of the URL.
 */
export function parseRequestTarget(request: IncomingMessage): RequestTarget {
  const url = request.url ?? "";
  const invalid = (detail: string): RequestTarget => ({ host: url, reason: "request_invalid", detail });
  if (!/^[\x21-\x7e]+$/.test(url)) return invalid("the URL contains a character that is not ASCII");
  const [, authority = "", path = "/"] = ABSOLUTE.exec(url) ?? [];
  if (!ABSOLUTE.test(url)) return invalid(describeUrl(url));
  const target = parseAuthority(authority, HTTP_PORT);
  if ("problem" in target) return { host: authority, reason: "host_invalid", detail: target.problem };
  const problem = checkHeaders(request, target);
  if (problem !== undefined) return { host: target.host, reason: "request_invalid", detail: problem };
  return { ...target, path: path.startsWith("?") ? `/${path}` : path };
}

function describeUrl(url: string): string {
  if (url.startsWith("/") || url === "*") return "this is a proxy, and the request names no complete URL";
  if (url.includes("#")) return "the URL contains a fragment";
  return SCHEME.test(url) ? "the proxy forwards the scheme http only; use CONNECT for TLS" : "the URL is malformed";
}

function checkHeaders(request: IncomingMessage, target: { readonly host: string; readonly port: number }) {
  const hosts = headersNamed(request, "host");
  const [value = ""] = hosts;
  if (hosts.length !== 1) return "the request does not have exactly one Host header";
  const named = parseAuthority(value, HTTP_PORT);
  const isSame = "host" in named && named.host === target.host && named.port === target.port;
  if (!isSame) return "the Host header differs from the host of the URL";
  const codings = headersNamed(request, "transfer-encoding");
  const isPlain = codings.length === 0 || (codings.length === 1 && codings[0]?.toLowerCase() === "chunked");
  if (!isPlain) return "the only allowed transfer encoding is chunked";
  const lengths = headersNamed(request, "content-length");
  return lengths.length + codings.length > 1 ? "the length of the body is given twice" : undefined;
}
