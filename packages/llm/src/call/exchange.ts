import { EngineError } from "@switchyard/contracts";
import { addressOf } from "../connect/address-of.ts";
import type { BodyRewriter } from "../normalisation/rewritten-body.ts";
import { UsageLines } from "../partial-usage/usage-lines.ts";
import type { LastEvent } from "./last-event.ts";
import type { ModelCall } from "./model-call.ts";
import type { Schedule } from "./schedule.ts";
import { watchBody } from "./watch-body.ts";

const MAX_ERROR_BYTES = 65_536;

/** State of one HTTP exchange, and the `fetch` that performs it. */
export interface Exchange {
  /** Performs the request. */
  readonly fetch: typeof globalThis.fetch;
  /** Requested URL, without credentials and query. */
  readonly url: string | undefined;
  /** Status of the response. */
  status: number | undefined;
  /** Headers of the response. */
  headers: Headers | undefined;
  /** Lines of the response stream that report token usage. */
  readonly usageLines: readonly string[];
}

/** Dependencies of an exchange. */
export interface ExchangeOptions {
  /** Performs the actual request. */
  fetch: typeof globalThis.fetch;
  /** Model call that the HTTP exchange belongs to. */
  call: ModelCall;
  /** Name of the provider, for errors. */
  provider: string;
  /** Maximum size of a successful response, in bytes. */
  maxAnswerBytes: number;
  /** Format of the last event, if a stream is requested. */
  lastEvent: LastEvent | undefined;
  /** Rewrites a successful response before it is parsed. */
  rewriter: BodyRewriter;
  /** Schedules timers. */
  schedule: Schedule;
  /** Final change to the JSON request body. May throw to abort the call. `undefined`: no change. */
  rewriteBody: ((body: string) => string) | undefined;
}

/** Returns an address for errors: without user, password, query and fragment. */
function shownUrl(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  return `${url.origin}${url.pathname}`;
}

/**
 * Error for a successful HTML response, which comes from a login portal or a website. Not retryable, because the next
 * response would be the same.
 */
function pageError({ status }: Response, endpoint: { provider: string; address: string }): EngineError {
  const url = shownUrl(endpoint.address);
  const problem = `${url} returned a web page instead of an API response; the base URL may lack its version prefix`;
  return new EngineError(
    "llm.invalid_response",
    { provider: endpoint.provider, url, status, problem },
    { isFinal: true },
  );
}

function isPage({ ok, headers }: Response): boolean {
  return ok && /^text\/html|^application\/xhtml/i.test(headers.get("content-type") ?? "");
}

/**
 * Creates an exchange and starts its watch. Redirects are not followed, because the request with the API key would be
 * sent to another host.
 */
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
    call.received();
    const notAnswer = (): EngineError => pageError(response, { provider, address: addressOf(input) });
    if (isPage(response)) throw notAnswer();
    const bounds = response.ok
      ? { maxBytes: maxAnswerBytes, truncate: false, stream, notAnswer, rewriter: options.rewriter }
      : { maxBytes: MAX_ERROR_BYTES, truncate: true };
    return watchBody(response, { ...bounds, provider, received: call.received });
  }
  return exchange;
}
