import { certificateProblem, EngineError, findEngineError, messageOf } from "@switchyard/contracts";
import type { Dispatcher } from "undici";
import { createGuardedConnector, type FindAddresses } from "../address/guarded-connector.ts";
import { parseAddress } from "./parse-address.ts";
import { readBody } from "./read-body.ts";

/** Redirects that are followed unless the caller says otherwise. */
const MAX_REDIRECTS = 5;
/** Time a fetch may take unless the caller says otherwise, in milliseconds. */
const TIMEOUT_MS = 30_000;
/** Bytes that are read unless the caller says otherwise: 5 MiB. */
const MAX_BYTES = 5 * 1024 * 1024;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** What a guarded fetch may do. */
export interface GuardedFetchOptions {
  /** Ends the fetch when it fires. */
  readonly signal?: AbortSignal | undefined;
  /** Time for everything together, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Most decoded bytes of the body. Default 5 MiB. */
  readonly maxBytes?: number | undefined;
  /** Whether a longer body is cut (default) or an error, `web.too_large`. */
  readonly whenTooLarge?: "truncate" | "fail" | undefined;
  /** Takes the bytes of the body as they come, whatever the status; `bytes` of the response are empty then. */
  readonly onBytes?: ((bytes: Uint8Array) => Promise<void>) | undefined;
  /** Redirects that are followed. Default 5. */
  readonly maxRedirects?: number | undefined;
  /** Media types to ask for, as in the header `accept`. */
  readonly accept?: string | undefined;
  /** Who asks, as in the header `user-agent`. Default `switchyard`. */
  readonly userAgent?: string | undefined;
  /** Origins (`http://host:port`) that may be reached though they are not public. None by default. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Finds the addresses of a name; the system's resolver by default. */
  readonly findAddresses?: FindAddresses | undefined;
}

/** What came back. */
export interface GuardedResponse {
  /** Where it came from in the end. */
  readonly url: string;
  /** HTTP status. */
  readonly status: number;
  /** Headers by name in lower case; the last of several. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded bytes of the body. */
  readonly bytes: Uint8Array;
  /** Whether the body was longer. */
  readonly truncated: boolean;
}

/** What a request has that goes to an address of the host's own, and to no other: none of it follows a redirect. */
export interface RequestParts {
  /** Further headers, credentials among them. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent by POST. */
  readonly body?: string | undefined;
}

interface Hop {
  readonly body: string | undefined;
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  readonly onBytes: GuardedFetchOptions["onBytes"];
}

function toHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value = ""]): [string, string] => [
    name.toLowerCase(),
    typeof value === "string" ? value : (value.at(-1) ?? ""),
  ]);
  return Object.fromEntries(entries);
}

/** One request without a redirect; a redirect's body is not read. */
async function fetchOnce(url: URL, hop: Hop): Promise<GuardedResponse> {
  const { dispatcher, signal, headers, maxBytes, onBytes, body: sent } = hop;
  const { request } = await import("undici");
  const asked = sent === undefined ? { method: "GET" as const } : { method: "POST" as const, body: sent };
  const response = await request(url, { ...asked, dispatcher, signal, headers });
  const received = toHeaders(response.headers);
  if (REDIRECTS.has(response.statusCode) && received["location"] !== undefined) {
    // Nobody reads it; an error of a stream that is thrown away is nobody's either.
    response.body.on("error", () => {}).destroy();
    return { url: url.href, status: response.statusCode, headers: received, bytes: new Uint8Array(), truncated: false };
  }
  const contentEncoding = received["content-encoding"] ?? "";
  const body = await readBody(response.body, { contentEncoding, maxBytes, onBytes });
  return { url: url.href, status: response.statusCode, headers: received, ...body };
}

async function follow(start: URL, hop: Hop, maxRedirects: number): Promise<GuardedResponse> {
  let url = start;
  for (let redirects = 0; ; redirects += 1) {
    const response = await fetchOnce(url, hop);
    const location = REDIRECTS.has(response.status) ? response.headers["location"] : undefined;
    if (location === undefined) return response;
    if (redirects >= maxRedirects) {
      throw new EngineError("web.too_many_redirects", { url: start.href, limit: maxRedirects });
    }
    url = parseAddress(location, url);
  }
}

interface Failure {
  readonly url: URL;
  readonly timeoutMs: number;
  /** The caller's signal. */
  readonly signal: AbortSignal | undefined;
  /** Fires when the time is up. */
  readonly timeUp: AbortSignal;
}

function toFailure(error: unknown, { url, timeoutMs, signal, timeUp }: Failure): unknown {
  if (signal?.aborted === true) return signal.reason;
  if (timeUp.aborted) return new EngineError("web.timeout", { url: url.href, timeoutMs }, { cause: error });
  const own = findEngineError(error);
  if (own !== undefined) return own;
  return new EngineError(
    "web.failed",
    { url: url.href, problem: certificateProblem(error) ?? messageOf(error) },
    { cause: error },
  );
}

/**
 * Gets something from the web, for callers whose addresses come from models, repositories or other people: GET only,
 * without credentials or cookies, over connections that lead to public addresses only, each redirect included; bounded
 * in time and in decoded bytes. Rejects with `web.*` errors, or with the reason of the signal. architecture: decision 14.
 */
export function guardedFetch(address: string, options: GuardedFetchOptions = {}): Promise<GuardedResponse> {
  return guardedRequest(address, options, {});
}

/** The same with headers and a body, for addresses that the host chose: redirects are not followed then. */
export async function guardedRequest(
  address: string,
  options: GuardedFetchOptions,
  parts: RequestParts,
): Promise<GuardedResponse> {
  const { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, maxRedirects = MAX_REDIRECTS, signal } = options;
  const url = parseAddress(address);
  const allowedOrigins = new Set((options.allowedOrigins ?? []).map((origin) => new URL(origin).origin));
  const { Agent, buildConnector } = await import("undici");
  const connect = createGuardedConnector(buildConnector, {
    ...{ allowedOrigins, timeoutMs },
    findAddresses: options.findAddresses,
  });
  const dispatcher = new Agent({ connect, maxHeaderSize: 64 * 1024, pipelining: 0 });
  const timeUp = AbortSignal.timeout(timeoutMs);
  const headers = {
    accept: options.accept ?? "*/*",
    "accept-encoding": "gzip, deflate, br",
    "user-agent": options.userAgent ?? "switchyard",
    ...parts.headers,
  };
  const isPlain = parts.headers === undefined && parts.body === undefined;
  try {
    const all = signal === undefined ? timeUp : AbortSignal.any([signal, timeUp]);
    const response = await follow(
      url,
      { dispatcher, signal: all, headers, maxBytes, onBytes: options.onBytes, body: parts.body },
      isPlain ? maxRedirects : 0,
    );
    if (response.truncated && options.whenTooLarge === "fail") {
      throw new EngineError("web.too_large", { url: response.url, maxBytes });
    }
    return response;
  } catch (error) {
    throw toFailure(error, { url, timeoutMs, signal, timeUp });
  } finally {
    await dispatcher.destroy();
  }
}
