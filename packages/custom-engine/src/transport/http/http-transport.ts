import { Readable } from "node:stream";
import { certificateProblem, EngineError, findEngineError, MAX_ANSWER_BYTES, messageOf } from "@switchyard/contracts";
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
import type { Answer, Call, PreparedCall, Transport } from "../transport.ts";
import { createMultipartBody } from "./multipart-body.ts";
import { type SelectedFile, selectFiles } from "./select-files.ts";

/** How long a service may be waited for, in milliseconds. */
export interface HttpTimeouts {
  /** Until a connection is there; 10 seconds by default. */
  readonly connectTimeoutMs: number;
  /** Until an answer begins, where the call has no limit; an hour by default, as engines answer when they are done. */
  readonly headersTimeoutMs: number;
  /** While nothing of an answer's body arrives, where the call has no limit; 5 minutes by default. */
  readonly idleTimeoutMs: number;
}

const TIMEOUTS: HttpTimeouts = { connectTimeoutMs: 10_000, headersTimeoutMs: 60 * 60_000, idleTimeoutMs: 5 * 60_000 };
/** Longest time that a timer measures; what is longer would be over at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** Characters of an answer that are kept as diagnostics. */
const MAX_DIAGNOSTIC_CHARS = 64 * 1024;

/** Makes what connections are made by, a new one for each call, closed at its end; a timeout of 0 is none. */
export type OpenDispatcher = (timeouts: HttpTimeouts) => Dispatcher | Promise<Dispatcher>;

/** What is done for calls of services. */
export interface HttpTransportOptions {
  /** Makes what connections are made by, for proxies of one's own. */
  readonly openDispatcher?: OpenDispatcher | undefined;
  /** Other times to wait than usual. */
  readonly timeouts?: Partial<HttpTimeouts> | undefined;
}

/** A request as it is sent. */
interface RenderedRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, Secret>>;
  /** JSON text. */
  readonly payload: Secret;
  /** Files of a multipart body; `undefined` when the body is JSON. */
  readonly files?: readonly SelectedFile[] | undefined;
}

/** Calls a service. Redirects are not followed, and no call is made twice. custom-engine: HTTP transport. */
export function createHttpTransport(config: HttpConfig, options: HttpTransportOptions = {}): Transport {
  return {
    async prepare(call): Promise<PreparedCall> {
      const request = await renderRequest(config, call);
      return { ownFiles: [], origin: request.url.origin, run: () => send(request, call, options) };
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
  // From entries: `__proto__` is a header like any other.
  const headers = Object.fromEntries(config.headers.map(([name, template]) => renderHeader(name, template, values)));
  const body = config.body === undefined ? call.input : renderBody(config.body, values);
  // Where files are configured the body is multipart, also when none matches: services read the part `payload`.
  const files = config.files.length === 0 ? undefined : await selectFiles(config.files, environment);
  return { url: new URL(address), headers, payload: secret(JSON.stringify(body)), files };
}

/** Why a text cannot be the value of a header. */
function problemOfHeader(value: string): string | undefined {
  if (hasForbiddenCharacter(value)) return "it contains a line break or another control character";
  const isForeign = [...value].some((character) => (character.codePointAt(0) ?? 0) > 0xff);
  return isForeign ? "it contains a character that headers cannot hold; encode it, or put it into the body" : undefined;
}

function renderHeader(name: string, template: Template, values: TemplateValues): readonly [string, Secret] {
  const value = renderTemplate(template, values);
  const problem = problemOfHeader(value);
  if (problem === undefined) return [name.toLowerCase(), secret(value)];
  throw new EngineError("config.invalid", { field: `engine.custom.http.headers.${name}`, problem });
}

/** The limit of a call is the one that its user knows of; only a connection does not get all of it. */
function timeoutsOf({ timeoutMs }: Call, { timeouts }: HttpTransportOptions): HttpTimeouts {
  const own = { ...TIMEOUTS, ...timeouts };
  if (timeoutMs === undefined) return own;
  return { connectTimeoutMs: Math.min(own.connectTimeoutMs, timeoutMs), headersTimeoutMs: 0, idleTimeoutMs: 0 };
}

async function send(request: RenderedRequest, call: Call, options: HttpTransportOptions): Promise<Answer> {
  const { timeoutMs, signal } = call;
  const timeUp = timeoutMs === undefined ? undefined : AbortSignal.timeout(Math.min(timeoutMs, MAX_TIMER_MS));
  const timeouts = timeoutsOf(call, options);
  const dispatcher = await (options.openDispatcher ?? openAgent)(timeouts);
  const arrived: Uint8Array[] = [];
  try {
    const all = timeUp === undefined ? signal : AbortSignal.any([signal, timeUp]);
    return await exchange(request, call, { dispatcher, signal: all, arrived });
  } catch (error) {
    // What had come until then may be a whole result.
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

/** What a request is made by. */
interface Connection {
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal;
  /** Takes the answer, piece by piece. */
  readonly arrived: Uint8Array[];
}

async function exchange(
  { url, headers, payload, files }: RenderedRequest,
  call: Call,
  { arrived, ...connection }: Connection,
): Promise<Answer> {
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
    ? new EngineError("transport.response_too_large", { maxBytes: MAX_ANSWER_BYTES })
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

/** Takes an answer as it comes; says whether there was more than is taken. */
async function receive(
  body: Readable,
  { contentEncoding, arrived, call }: { contentEncoding: string; arrived: Uint8Array[]; call: Call },
): Promise<boolean> {
  const onBytes = async (bytes: Uint8Array): Promise<void> => void arrived.push(bytes);
  try {
    return (await readBody(body, { contentEncoding, maxBytes: MAX_ANSWER_BYTES, onBytes })).truncated;
  } catch (error) {
    const problem = `its answer cannot be read to the end: ${call.masker.mask(messageOf(error))}`;
    throw new EngineError("transport.failed", { problem }, { cause: error });
  }
}

/** Text of what arrived; what is no UTF-8 is replaced, as it is in what a command prints. */
function decode(arrived: readonly Uint8Array[]): string {
  return new TextDecoder("utf-8").decode(Buffer.concat(arrived));
}

/** An address for messages: its query may hold tokens. */
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

/** How long a service was silent, in milliseconds, where a connection was given up for that. */
function silenceOf(error: unknown, { headersTimeoutMs, idleTimeoutMs }: HttpTimeouts): number | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code: unknown = Reflect.get(cause, "code");
    if (code === "UND_ERR_HEADERS_TIMEOUT") return headersTimeoutMs;
    if (code === "UND_ERR_BODY_TIMEOUT") return idleTimeoutMs;
  }
  return undefined;
}
