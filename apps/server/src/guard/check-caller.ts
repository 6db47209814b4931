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
 * Refuses what a web page makes a browser send, to this server or by a name that was turned to point here (DNS
 * rebinding), and requests whose target is not one thing. Throws `server.bad_request` and `server.forbidden`.
 */
export function checkCaller(request: IncomingMessage, rules: CallerRules): void {
  const hosts = valuesOf(request, "host");
  const [host] = hosts;
  if (host === undefined || hosts.length !== 1) throw badRequest("it needs exactly one Host header");
  if (!URL.canParse(`http://${host}`)) throw badRequest("its Host header is no host");
  if (request.url?.startsWith("/") !== true) throw badRequest("its target is no path");
  if (!isOwnName(nameOf(host), rules)) throw forbidden("its Host header names another server");
  if (valuesOf(request, "origin").length > 0) throw forbidden("it comes from a web page (Origin header)");
  // Navigations and images have no Origin header.
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "none") throw forbidden("it comes from a web page (Sec-Fetch-Site header)");
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
