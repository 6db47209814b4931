import type { Secret } from "@switchyard/secrets";
import type { Schedule } from "../call/schedule.ts";
import type { ProxySettings } from "../connect/open-fetch.ts";
import type { FileReader } from "../request/file-reads.ts";

/** How long a model call may take. unified-llm-client: timeouts. */
export interface CallTimeouts {
  /** Until there is a connection, where `fetch` is not the caller's own; default 10,000 ms. */
  connectMs?: number | undefined;
  /**
   * Until the whole answer of `complete`; until the first content of `stream`, and from one piece of content to the
   * next, whatever else arrives; default 120,000 ms.
   */
  requestMs?: number | undefined;
  /** Without a single byte, once a streamed answer has begun; default 30,000 ms. */
  silenceMs?: number | undefined;
}

/** What every provider is made from. */
export interface ProviderOptions {
  /** The API key; surrounding white space is dropped. */
  apiKey: string | Secret;
  /** Address that the API's paths are appended to, version prefix included; the vendor's own when unset. */
  baseUrl?: string | undefined;
  /** Sent with every request, besides the provider's own headers. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Environment variable that the key came from; errors name it. */
  keyVariable?: string | undefined;
  /** Proxies to connect through, where `fetch` is not the caller's own; none by default. */
  proxy?: ProxySettings | undefined;
  /** Makes the HTTP requests; over `node:http` by default, and undici's where there is a proxy. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Reads files that messages name by path; without it such parts are refused with `llm.unsupported_part`. */
  readFile?: FileReader | undefined;
  /** Limits of a call. */
  timeouts?: CallTimeouts | undefined;
  /** Most bytes of one answer; default 64 MiB. */
  maxAnswerBytes?: number | undefined;
  /** Time in milliseconds; default a clock that never jumps. */
  now?: (() => number) | undefined;
  /** Makes ids for tool calls that come without one; default random. */
  createId?: (() => string) | undefined;
  /** Timers; default the system's. */
  schedule?: Schedule | undefined;
}
