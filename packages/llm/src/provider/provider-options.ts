import type { Secret } from "@switchyard/secrets";
import type { Schedule } from "../call/schedule.ts";
import type { ProxySettings } from "../connect/open-fetch.ts";
import type { FileReader } from "../request/file-reads.ts";

/** Time limits of a model call. See unified-llm-client: timeouts. */
export interface CallTimeouts {
  /** Time limit for the connection, in milliseconds, unless a custom `fetch` is used. Default: 10,000. */
  connectMs?: number | undefined;
  /**
   * Time limit, in milliseconds. `complete`: until the response is complete. `stream`: until the first content, and
   * between two chunks of content; events without content do not count. Default: 120,000.
   */
  requestMs?: number | undefined;
  /** Maximum time without a byte after a streamed response has started, in milliseconds. Default: 30,000. */
  silenceMs?: number | undefined;
}

/** Options of every provider. */
export interface ProviderOptions {
  /** API key. Surrounding white space is removed. */
  apiKey: string | Secret;
  /** Base URL to which the API's paths are appended, version prefix included. Default: the vendor's address. */
  baseUrl?: string | undefined;
  /** Headers sent with every request, in addition to the provider's own. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Environment variable from which the API key was read, for error messages. */
  keyVariable?: string | undefined;
  /** Proxies, unless a custom `fetch` is used. Default: none. */
  proxy?: ProxySettings | undefined;
  /** Performs the HTTP requests. Default: an implementation on `node:http`, or undici if there is a proxy. */
  fetch?: typeof globalThis.fetch | undefined;
  /**
   * Reads files to which messages refer by path. `undefined`: messages that refer to files by path are rejected with
   * `llm.unsupported_part`.
   */
  readFile?: FileReader | undefined;
  /** Time limits of a call. */
  timeouts?: CallTimeouts | undefined;
  /** Maximum size of one response, in bytes. Default: 64 MiB. */
  maxAnswerBytes?: number | undefined;
  /** Returns the time in milliseconds. Default: a monotonic clock. */
  now?: (() => number) | undefined;
  /** Generates ids for tool calls without an id. Default: random ids. */
  createId?: (() => string) | undefined;
  /** Schedules timers. Default: the process's timers. */
  schedule?: Schedule | undefined;
}
