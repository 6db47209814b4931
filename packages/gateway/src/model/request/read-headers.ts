import { EngineError } from "@switchyard/contracts";

/**
 * Headers that are not forwarded, because they describe one connection, the body as we received it, or the client's
 * address.
 */
const HOP: ReadonlySet<string> = new Set([
  ...["connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer"],
  ...["transfer-encoding", "upgrade", "http2-settings", "host", "content-length", "expect", "accept-encoding"],
  ...["forwarded", "via", "x-real-ip", "x-original-url", "x-rewrite-url", "x-original-host"],
  ...["x-http-method-override", "x-http-method", "x-method-override"],
]);

/** Headers that authenticate a request, or select the account that pays. */
const CREDENTIALS: ReadonlySet<string> = new Set([
  ...["authorization", "x-api-key", "api-key", "x-goog-api-key", "x-goog-user-project", "cookie"],
  ...["openai-organization", "openai-project", "x-goog-iam-authorization-token", "x-auth-token"],
]);

/** Headers of which a request must not have two. */
const SINGLE: ReadonlySet<string> = new Set([
  ...["host", "content-length", "transfer-encoding", "content-type", "content-encoding"],
  ...["authorization", "x-api-key", "x-goog-api-key"],
]);

function isForwarded(name: string): boolean {
  return !HOP.has(name) && !CREDENTIALS.has(name) && !name.startsWith("x-forwarded-") && !name.startsWith("proxy-");
}

/** Headers of a request. */
export interface ReadHeaders {
  /** Values by name in lower case. */
  readonly values: ReadonlyMap<string, string>;
  /** Headers that are forwarded, as a list in which each name is followed by its value. */
  readonly forwarded: readonly string[];
}

/**
 * Reads the headers of a request, as Node.js received them. Throws `gateway.request_refused` for headers that two
 * servers could understand differently.
 */
export function readHeaders(rawHeaders: readonly string[]): ReadHeaders {
  const values = new Map<string, string>();
  const pairs: (readonly [string, string])[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? "").toLowerCase();
    const value = rawHeaders[index + 1] ?? "";
    if (values.has(name) && SINGLE.has(name)) refuse(`it has two headers ${name}`);
    values.set(name, value);
    pairs.push([name, value]);
  }
  const encoding = values.get("content-encoding");
  if (encoding !== undefined && encoding !== "identity") refuse(`its body has the encoding ${encoding}`);
  if (values.has("content-length") && values.has("transfer-encoding")) refuse("its length is ambiguous");
  const ofConnection = new Set((values.get("connection") ?? "").split(",").map((name) => name.trim().toLowerCase()));
  const forwarded = pairs.filter(([name]) => isForwarded(name) && !ofConnection.has(name)).flat();
  return { values, forwarded };
}

/**
 * Returns the token of a request. Clients send the token where a model API expects its API key: in the header
 * `authorization` (`Bearer …`), `x-api-key` or `x-goog-api-key`, or in the query parameter `key`. Throws
 * `gateway.token_missing` without a token, and `gateway.request_refused` for two different tokens.
 */
export function readToken({ values }: ReadHeaders, target: string): string {
  const bearer = /^bearer +(\S+)$/i.exec(values.get("authorization") ?? "")?.[1];
  const key = new URLSearchParams(target.split("?").slice(1).join("?")).get("key") ?? undefined;
  const sent = [bearer, values.get("x-api-key"), values.get("x-goog-api-key"), key];
  const tokens = new Set(sent.filter((token) => token !== undefined && token !== ""));
  if (tokens.size > 1) refuse("it has two different tokens");
  for (const token of tokens) if (token !== undefined) return token;
  throw new EngineError("gateway.token_missing");
}

function refuse(problem: string): never {
  throw new EngineError("gateway.request_refused", { problem: `${problem}.` });
}
