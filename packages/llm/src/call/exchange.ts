import { EngineError } from "@switchyard/contracts";
import { addressOf } from "../connect/address-of.ts";
import type { BodyRewriter } from "../normalisation/rewritten-body.ts";
import { UsageLines } from "../partial-usage/usage-lines.ts";
import type { LastEvent } from "./last-event.ts";
import type { ModelCall } from "./model-call.ts";
import type { Schedule } from "./schedule.ts";
import { watchBody } from "./watch-body.ts";

const MAX_ERROR_BYTES = 65_536;

/** What was seen of one HTTP exchange, and the `fetch` that makes it. */
export interface Exchange {
  /** Makes the request. */
  readonly fetch: typeof globalThis.fetch;
  /** Address that was called, without credentials and query. */
  readonly url: string | undefined;
  /** Status of the answer. */
  status: number | undefined;
  /** Headers of the answer. */
  headers: Headers | undefined;
  /** Lines of a stream that report usage. */
  readonly usageLines: readonly string[];
}

/** What an exchange needs. */
export interface ExchangeOptions {
  /** Makes the actual request. */
  fetch: typeof globalThis.fetch;
  /** The call it belongs to. */
  call: ModelCall;
  /** Provider that errors name. */
  provider: string;
  /** Most bytes of a good answer. */
  maxAnswerBytes: number;
  /** How the last event looks, where a stream is asked for. */
  lastEvent: LastEvent | undefined;
  /** Changes a good answer before it is parsed. */
  rewriter: BodyRewriter;
  /** Timers. */
  schedule: Schedule;
  /** Last change to the JSON text that goes out, where there is one; may throw to stop the call. */
  rewriteBody: ((body: string) => string) | undefined;
}

/** An address as errors show it: no user, password, query or fragment. */
function shownUrl(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  return `${url.origin}${url.pathname}`;
}

/** A good answer in HTML comes from a portal or another part of the provider's site; so will the next one. */
function pageError({ status }: Response, where: { provider: string; address: string }): EngineError {
  const url = shownUrl(where.address);
  const problem = `${url} answered with a web page instead of an API response; the base URL may lack its version prefix`;
  return new EngineError("llm.invalid_response", { provider: where.provider, url, status, problem }, { isFinal: true });
}

function isPage({ ok, headers }: Response): boolean {
  return ok && /^text\/html|^application\/xhtml/i.test(headers.get("content-type") ?? "");
}

/** Starts to watch one exchange. Redirects are not followed: they would carry the key to another host. */
export function createExchange(options: ExchangeOptions): Exchange {
  const { call, provider, maxAnswerBytes, rewriteBody, lastEvent, schedule } = options;
  const usage = new UsageLines();
  const stream = lastEvent && { lastEvent, schedule, usage, onSilence: call.onSilence };
  let address: string | undefined;
  const exchange: Exchange = {
    fetch: send,
    get url() {
      return address === undefined ? undefined : shownUrl(address);
    },
    status: undefined,
    headers: undefined,
    usageLines: usage.lines,
  };
  async function send(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    address = addressOf(input);
    const sent: RequestInit = { ...init, redirect: "manual" };
    if (rewriteBody !== undefined && typeof sent.body === "string") sent.body = rewriteBody(sent.body);
    const response = await options.fetch(input, sent);
    exchange.status = response.status;
    exchange.headers = response.headers;
    call.heard();
    const notAnswer = (): EngineError => pageError(response, { provider, address: addressOf(input) });
    if (isPage(response)) throw notAnswer();
    const bounds = response.ok
      ? { maxBytes: maxAnswerBytes, truncate: false, stream, notAnswer, rewriter: options.rewriter }
      : { maxBytes: MAX_ERROR_BYTES, truncate: true };
    return watchBody(response, { ...bounds, provider, heard: call.heard });
  }
  return exchange;
}
