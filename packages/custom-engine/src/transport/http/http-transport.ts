import { Readable } from "node:stream";
import { certificateProblem, EngineError, findEngineError, MAX_RESPONSE_BYTES, messageOf } from "@switchyard/contracts";
import { type Secret, secret } from "@switchyard/secrets";
import { readBody } from "@switchyard/web";
import type { Dispatcher } from "undici";
import { assertNoSecret } from "../../call/command-line-rules.ts";
import type { HttpConfig } from "../../config/custom-engine-config.ts";
import { hasForbiddenCharacter, problemOfUrl } from "../../config/load-http.ts";
import { maskExcerpt } from "../../result/mask-excerpt.ts";
import { renderBody } from "../../template/render-body.ts";
import { renderTemplate, type TemplateValues } from "../../template/render-template.ts";
import type { Template } from "../../template/template.ts";
import type { Call, PreparedCall, Transport, TransportResponse } from "../transport.ts";
import { createMultipartBody } from "./multipart-body.ts";
import { type SelectedFile, selectFiles } from "./select-files.ts";

/** Time limits for a service, in milliseconds. */
export interface HttpTimeouts {
  /** Maximum time to connect. Default: 10 seconds. */
  readonly connectTimeoutMs: number;
  /**
   * Maximum time until the response begins, for calls without a time limit. Default: one hour, because engines respond
   * only when the work is done.
   */
  readonly headersTimeoutMs: number;
  /** Maximum pause between parts of the response body, for calls without a time limit. Default: 5 minutes. */
  readonly idleTimeoutMs: number;
}

const TIMEOUTS: HttpTimeouts = { connectTimeoutMs: 10_000, headersTimeoutMs: 60 * 60_000, idleTimeoutMs: 5 * 60_000 };
/** Longest delay of a timer, in milliseconds. A timer with a longer delay would fire immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** Maximum number of characters of a response that are stored as diagnostics. */
const MAX_DIAGNOSTIC_CHARS = 64 * 1024;

/**
 * Creates a dispatcher (HTTP client of undici) for the connections of one call. It is closed when the call ends. A
 * timeout of 0 disables the limit.
 */
export type OpenDispatcher = (timeouts: HttpTimeouts) => Dispatcher | Promise<Dispatcher>;

/** Options for calls of HTTP services. */
export interface HttpTransportOptions {
  /** Creates dispatchers (HTTP clients of undici), for example for a custom proxy. Default: direct connections. */
  readonly openDispatcher?: OpenDispatcher | undefined;
  /** Time limits that replace the defaults. */
  readonly timeouts?: Partial<HttpTimeouts> | undefined;
}

/** A rendered request. */
interface RenderedRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, Secret>>;
  /** Body as JSON text. */
  readonly payload: Secret;
  /** Files of a multipart body; `undefined` when the body is JSON. */
  readonly files?: readonly SelectedFile[] | undefined;
}

/**
 * Creates a transport that calls an HTTP service. Redirects are not followed, and no call is repeated. See
 * custom-engine: HTTP transport.
 */
export function createHttpTransport(config: HttpConfig, options: HttpTransportOptions = {}): Transport {
  return {
    async prepare(call): Promise<PreparedCall> {
      const request = await renderRequest(config, call);
      return { engineFiles: [], origin: request.url.origin, run: () => send(request, call, options) };
    },
  };
}

async function openAgent({ connectTimeoutMs, headersTimeoutMs, idleTimeoutMs }: HttpTimeouts): Promise<Dispatcher> {
  const { Agent } = await import("undici");
  return new Agent({
    connect: { timeout: connectTimeoutMs },
    headersTimeout: headersTimeoutMs,
    bodyTimeout: idleTimeoutMs,
    maxHeaderSize: 64 * 1024,
    pipelining: 0,
  });
}

async function renderRequest(config: HttpConfig, call: Call): Promise<RenderedRequest> {
  const { values, secrets, environment } = call;
  const address = renderTemplate(config.url, values);
  const field = "engine.custom.http.url";
  assertNoSecret(address, field, secrets);
  const problem = problemOfUrl(address);
  if (problem !== undefined) throw new EngineError("config.invalid", { field, problem });
  // `fromEntries` creates an own property even for the header name `__proto__`.
  const headers = Object.fromEntries(config.headers.map(([name, template]) => renderHeader(name, template, values)));
  const body = config.body === undefined ? call.input : renderBody(config.body, values);
  // If files are configured, the body is always multipart, because services read its part `payload`.
  const files = config.files.length === 0 ? undefined : await selectFiles(config.files, environment);
  return { url: new URL(address), headers, payload: secret(JSON.stringify(body)), files };
}

/** Returns why a text is not a valid header value. */
function problemOfHeader(value: string): string | undefined {
  if (hasForbiddenCharacter(value)) return "it contains a line break or another control character";
  const isForeign = [...value].some((character) => (character.codePointAt(0) ?? 0) > 0xff);
  return isForeign
    ? "it contains a character that is not allowed in headers; encode it, or put it into the body"
    : undefined;
}

function renderHeader(name: string, template: Template, values: TemplateValues): readonly [string, Secret] {
  const value = renderTemplate(template, values);
  const problem = problemOfHeader(value);
  if (problem === undefined) return [name.toLowerCase(), secret(value)];
  throw new EngineError("config.invalid", { field: `engine.custom.http.headers.${name}`, problem });
}

/** Returns the time limits of a call: a limit of the call replaces all others except the one for connecting. */
function timeoutsOf({ timeoutMs }: Call, { timeouts }: HttpTransportOptions): HttpTimeouts {
  const own = { ...TIMEOUTS, ...timeouts };
  if (timeoutMs === undefined) return own;
  return { connectTimeoutMs: Math.min(own.connectTimeoutMs, timeoutMs), headersTimeoutMs: 0, idleTimeoutMs: 0 };
}

async function send(request: RenderedRequest, call: Call, options: HttpTransportOptions): Promise<TransportResponse> {
  const { timeoutMs, signal } = call;
  const timeUp = timeoutMs === undefined ? undefined : AbortSignal.timeout(Math.min(timeoutMs, MAX_TIMER_MS));
  const timeouts = timeoutsOf(call, options);
  const dispatcher = await (options.openDispatcher ?? openAgent)(timeouts);
  const arrived: Uint8Array[] = [];
  try {
    const all = timeUp === undefined ? signal : AbortSignal.any([signal, timeUp]);
    return await exchange(request, call, { dispatcher, signal: all, arrived });
  } catch (error) {
    // The part that arrived before the failure may be a complete result.
    return {
      text: decode(arrived),
      exitCode: 1,
      stderr: "",
      failure: failureOf(error, { request, call, timeUp, timeouts }),
    };
  } finally {
    await dispatcher.destroy();
  }
}

/** Dispatcher and response buffer of one request. */
interface Connection {
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal;
  /** Parts of the response that have arrived. */
  readonly arrived: Uint8Array[];
}

async function exchange(
  { url, headers, payload, files }: RenderedRequest,
  call: Call,
  { arrived, ...connection }: Connection,
): Promise<TransportResponse> {
  const { request } = await import("undici");
  const text = payload.reveal();
  const multipart = files === undefined ? undefined : createMultipartBody(text, files, call.environment);
  const json = Buffer.from(text);
  const response = await request(url, {
    ...connection,
    method: "POST",
    headers: {
      "user-agent": "switchyard",
      accept: "application/json, text/plain;q=0.9, */*;q=0.1",
      ...(multipart === undefined ? { "content-type": "application/json" } : {}),
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.reveal()])),
      "content-length": String(multipart?.length ?? json.length),
      ...(multipart === undefined ? {} : { "content-type": multipart.contentType }),
    },
    body: multipart === undefined ? json : Readable.from(multipart.bytes),
  });
  const contentEncoding = [response.headers["content-encoding"] ?? ""].flat().join(",");
  const truncated = await receive(response.body, { contentEncoding, arrived, call });
  const isFailed = response.statusCode < 200 || response.statusCode > 299;
  const tooLarge = truncated
    ? new EngineError("transport.response_too_large", { maxBytes: MAX_RESPONSE_BYTES })
    : undefined;
  const answered = truncated ? "" : decode(arrived);
  if (!isFailed) return { text: answered, exitCode: 0, stderr: "", failure: tooLarge };
  const failure = new EngineError("transport.http_status", { url: shownUrl(url), status: response.statusCode });
  return {
    text: answered,
    exitCode: response.statusCode,
    stderr: maskExcerpt(answered.trim(), MAX_DIAGNOSTIC_CHARS, call.masker),
    failure,
  };
}

/** Reads the response; resolves with true if it was longer than the limit. */
async function receive(
  body: Readable,
  { contentEncoding, arrived, call }: { contentEncoding: string; arrived: Uint8Array[]; call: Call },
): Promise<boolean> {
  const onBytes = async (bytes: Uint8Array): Promise<void> => void arrived.push(bytes);
  try {
    return (await readBody(body, { contentEncoding, maxBytes: MAX_RESPONSE_BYTES, onBytes })).truncated;
  } catch (error) {
    const problem = `its response cannot be read completely: ${call.masker.mask(messageOf(error))}`;
    throw new EngineError("transport.failed", { problem }, { cause: error });
  }
}

/** Decodes the response; invalid UTF-8 is replaced. */
function decode(arrived: readonly Uint8Array[]): string {
  return new TextDecoder("utf-8").decode(Buffer.concat(arrived));
}

/** Returns a URL for messages, without its query, which may contain tokens. */
function shownUrl({ origin, pathname }: URL): string {
  return origin + pathname;
}

interface FailedCall {
  readonly request: RenderedRequest;
  readonly call: Call;
  readonly timeUp: AbortSignal | undefined;
  readonly timeouts: HttpTimeouts;
}

function failureOf(error: unknown, { request, call, timeUp, timeouts }: FailedCall): EngineError {
  if (call.signal.aborted) {
    return new EngineError("transport.failed", { problem: "it was stopped" }, { cause: call.signal.reason });
  }
  if (timeUp?.aborted === true)
    return new EngineError("transport.timeout", { timeoutMs: call.timeoutMs }, { cause: error });
  const silence = silenceOf(error, timeouts);
  if (silence !== undefined) return new EngineError("transport.timeout", { timeoutMs: silence }, { cause: error });
  const own = findEngineError(error);
  if (own !== undefined) return own;
  const problem = certificateProblem(error) ?? call.masker.mask(messageOf(error));
  return new EngineError("transport.network", { url: shownUrl(request.url), problem }, { cause: error });
}

/** Returns how long a service was silent, in milliseconds, if that is why the connection failed. */
function silenceOf(error: unknown, { headersTimeoutMs, idleTimeoutMs }: HttpTimeouts): number | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code: unknown = Reflect.get(cause, "code");
    if (code === "UND_ERR_HEADERS_TIMEOUT") return headersTimeoutMs;
    if (code === "UND_ERR_BODY_TIMEOUT") return idleTimeoutMs;
  }
  return undefined;
}
