import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { EngineError } from "@switchyard/contracts";
import { isLoopback } from "./loopback.ts";

/** Matches a path with a segment `.` or `..`, also percent-encoded, or with a backslash. */
const AMBIGUOUS = /\/(?:\.|%2e){1,2}(?:\/|$)|\\/iu;

/** Host names and addresses under which clients may address a server. */
export interface CallerRules {
  /** Address on which the server listens. */
  readonly host: string;
  /** Additional host names of the server. */
  readonly allowedHosts: readonly string[];
}

/**
 * Rejects requests that a browser sent on behalf of another web page, directly or through DNS rebinding, and requests
 * with ambiguous targets. The server's own dashboard may send any request, and any page may link to the dashboard.
 * Throws `server.bad_request` and `server.forbidden`.
 */
export function checkCaller(request: IncomingMessage, rules: CallerRules): void {
  const hosts = valuesOf(request, "host");
  const [host] = hosts;
  if (host === undefined || hosts.length !== 1) throw badRequest("it needs exactly one Host header");
  if (!URL.canParse(`http://${host}`)) throw badRequest("its Host header is not a valid host");
  if (request.url?.startsWith("/") !== true) throw badRequest("its target is not a path");
  // A reverse proxy may interpret a path with dot segments or backslashes differently than this server.
  if (AMBIGUOUS.test(request.url.replace(/[?#].*$/su, "")))
    throw badRequest("its path has dot segments or backslashes");
  if (!isServerName(nameOf(host), rules)) throw forbidden("its Host header names another server");
  const isForeign = valuesOf(request, "origin").some((origin) => !isServerOrigin(origin, host));
  if (isForeign) throw forbidden("it comes from a web page of another origin (Origin header)");
  // Checked in addition to the Origin header, which is missing in navigations and image requests.
  const sites = valuesOf(request, "sec-fetch-site");
  if (sites.every((site) => site === "none" || site === "same-origin") || isVisit(request)) return;
  throw forbidden("it comes from a web page of another origin (Sec-Fetch-Site header)");
}

/**
 * Returns whether an origin is this server: same host name and port. The scheme is not compared, because a reverse
 * proxy may use HTTPS while the server uses HTTP.
 */
function isServerOrigin(origin: string, host: string): boolean {
  return [`http://${host}`, `https://${host}`].some(
    (serverOrigin) => serverOrigin.toLowerCase() === origin.toLowerCase(),
  );
}

/**
 * Returns whether the browser follows a link to the dashboard. This is allowed from any page, because the dashboard's
 * page contains no data until it sends its own requests.
 */
function isVisit({ method, url, headers }: IncomingMessage): boolean {
  return (
    method === "GET" &&
    url === "/" &&
    headers["sec-fetch-mode"] === "navigate" &&
    headers["sec-fetch-dest"] === "document" &&
    headers.origin === undefined
  );
}

function badRequest(problem: string): EngineError {
  return new EngineError("server.bad_request", { problem });
}

function forbidden(problem: string): EngineError {
  return new EngineError("server.forbidden", { problem });
}

/** Returns all values of a header. Reads the raw headers, because Node discards repeated values of some headers. */
function valuesOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}

/** Returns the host name without port and IPv6 brackets. */
function nameOf(host: string): string {
  const [, ipv6, name] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::\d{1,5})?$/u.exec(host) ?? [];
  return (ipv6 ?? name ?? "").toLowerCase();
}

function isServerName(name: string, { host, allowedHosts }: CallerRules): boolean {
  if (name === "") return false;
  if (name === host.toLowerCase() || allowedHosts.some((allowed) => allowed.toLowerCase() === name)) return true;
  if (isLoopback(host)) return isLoopback(name);
  // A server that does not listen on loopback may have many IP addresses, so all are accepted.
  // DNS rebinding is only possible with a host name.
  return isIP(name) !== 0 || name === "localhost";
}
