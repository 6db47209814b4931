import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { EngineError } from "@switchyard/contracts";
import { isLoopback } from "./loopback.ts";

/** By which names a server may be addressed. */
export interface CallerRules {
  /** Address that it listens on. */
  readonly host: string;
  /** Further names. */
  readonly allowedHosts: readonly string[];
}

/**
 * Refuses what another web page makes a browser send, to this server or by a name that was turned to point here (DNS
 * rebinding), and requests whose target is not one thing. The server's own page may ask everything, and every page may
 * link to it. Throws `server.bad_request` and `server.forbidden`. security: dashboard.
 */
export function checkCaller(request: IncomingMessage, rules: CallerRules): void {
  const hosts = valuesOf(request, "host");
  const [host] = hosts;
  if (host === undefined || hosts.length !== 1) throw badRequest("it needs exactly one Host header");
  if (!URL.canParse(`http://${host}`)) throw badRequest("its Host header is no host");
  if (request.url?.startsWith("/") !== true) throw badRequest("its target is no path");
  if (!isOwnName(nameOf(host), rules)) throw forbidden("its Host header names another server");
  const isForeign = valuesOf(request, "origin").some((origin) => !isOwnOrigin(origin, host));
  if (isForeign) throw forbidden("it comes from a web page of another origin (Origin header)");
  // Navigations and images have no Origin header.
  const sites = valuesOf(request, "sec-fetch-site");
  if (sites.every((site) => site === "none" || site === "same-origin") || isVisit(request)) return;
  throw forbidden("it comes from a web page of another origin (Sec-Fetch-Site header)");
}

/** Whether a page is the one of this server: it was asked for by the same name and port. Which scheme it was is a proxy's. */
function isOwnOrigin(origin: string, host: string): boolean {
  return [`http://${host}`, `https://${host}`].some((own) => own.toLowerCase() === origin.toLowerCase());
}

/** Whether somebody follows a link to the dashboard, which shows nothing until it asks by itself. */
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

/** All values of a header; Node keeps only the first of some. */
function valuesOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}

/** The name in front of the port, without the brackets of IPv6. */
function nameOf(host: string): string {
  const [, ipv6, name] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::\d{1,5})?$/u.exec(host) ?? [];
  return (ipv6 ?? name ?? "").toLowerCase();
}

function isOwnName(name: string, { host, allowedHosts }: CallerRules): boolean {
  if (name === "") return false;
  if (name === host.toLowerCase() || allowedHosts.some((allowed) => allowed.toLowerCase() === name)) return true;
  if (isLoopback(host)) return isLoopback(name);
  // Beyond loopback there may be many; names alone can be turned.
  return isIP(name) !== 0 || name === "localhost";
}
