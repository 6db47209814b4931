import { certificateProblem, EngineError, findEngineError, messageOf } from "@switchyard/contracts";
import type { Dispatcher } from "undici";
import { createGuardedConnector } from "../address/guarded-connector.ts";
import type { FindAddresses } from "../address/guarded-lookup.ts";
import { parseAddress } from "./parse-address.ts";
import { readBody } from "./read-body.ts";

/** Default maximum number of redirects. */
const MAX_REDIRECTS = 5;
/** Default time limit of a fetch, in milliseconds. */
const TIMEOUT_MS = 30_000;
/** Default maximum number of bytes: 5 MiB. */
const MAX_BYTES = 5 * 1024 * 1024;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Options of a guarded fetch. */
export interface GuardedFetchOptions {
  /** Signal that aborts the fetch. */
  readonly signal?: AbortSignal | undefined;
  /** Total time limit, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Maximum size of the decoded body, in bytes. Default: 5 MiB. */
  readonly maxBytes?: number | undefined;
  /** Whether a larger body is truncated or fails with `web.too_large`. Default: `truncate`. */
  readonly whenTooLarge?: "truncate" | "fail" | undefined;
  /**
   * Called with the bytes of the response body as they arrive, whatever the status. `bytes` of the response is then
   * empty.
   */
  readonly onBytes?: ((bytes: Uint8Array) => Promise<void>) | undefined;
  /** Maximum number of redirects. Default: 5. */
  readonly maxRedirects?: number | undefined;
  /** Accepted media types, as in the header `accept`. */
  readonly accept?: string | undefined;
  /** Value of the header `user-agent`. Default: `switchyard`. */
  readonly userAgent?: string | undefined;
  /** Origins (`http://host:port`) that may be requested although their addresses are not public. Default: none. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Resolves host names. Default: the system's resolver. */
  readonly findAddresses?: FindAddresses | undefined;
}

/** Response of a guarded fetch. */
export interface GuardedResponse {
  /** Final address, after redirects. */
  readonly url: string;
  /** HTTP status. */
  readonly status: number;
  /** Response headers by lower-case name. Of repeated headers, only the last value. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded body, in bytes. */
  readonly bytes: Uint8Array;
  /** True if the body was truncated. */
  readonly truncated: boolean;
}

/**
 * Options that only a request to an address configured by the host may set. Such a request does not follow redirects.
 */
export interface RequestParts {
  /** Additional headers, possibly with credentials. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Body, sent by POST. */
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

/** Sends one request without following redirects. The body of a redirect is not read. */
async function fetchOnce(url: URL, hop: Hop): Promise<GuardedResponse> {
  const { dispatcher, signal, headers, maxBytes, onBytes, body: sent } = hop;
  const { request } = await import("undici");
  const asked = sent === undefined ? { method: "GET" as const } : { method: "POST" as const, body: sent };
  const response = await request(url, { ...asked, dispatcher, signal, headers });
  const received = toHeaders(response.headers);
  if (REDIRECTS.has(response.statusCode) && received["location"] !== undefined) {
    // The body is not read. The stream is destroyed, and the resulting error can be ignored.
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
  /** Signal of the caller. */
  readonly signal: AbortSignal | undefined;
  /** Signal that fires when the time limit is reached. */
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
 * Fetches an address that an untrusted source has supplied, such as a model, a repository or a user. Sends only GET,
 * without credentials or cookies. Connects to public addresses only, also for redirects. Time and decoded bytes are
 * limited. Rejects with `web.*` errors, or with the signal's reason. See architecture: decision 14.
 */
export function guardedFetch(address: string, options: GuardedFetchOptions = {}): Promise<GuardedResponse> {
  return guardedRequest(address, options, {});
}

/** Sends a request with headers and a body to an address configured by the host. Redirects are not followed. */
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
