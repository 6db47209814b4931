import { randomUUID } from "node:crypto";
import { EngineError } from "@switchyard/contracts";
import { createMasker, Secret } from "@switchyard/secrets";
import { type Schedule, scheduleTimer } from "../call/schedule.ts";
import { openFetch } from "../connect/open-fetch.ts";
import type { FileReader } from "../request/file-reads.ts";
import { secretHeaderValues } from "../request/secret-headers.ts";
import type { Dialect } from "./dialect.ts";
import type { ProviderOptions } from "./provider-options.ts";

const DEFAULT_REQUEST_MS = 120_000;
const DEFAULT_SILENCE_MS = 30_000;
const DEFAULT_MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** The options of a provider that may do without a key. */
export interface ConnectionOptions extends Omit<ProviderOptions, "apiKey"> {
  /** The API key, if there is one. */
  apiKey?: string | Secret | undefined;
}

/** A provider's options, checked and complete. */
export interface Connection {
  /** The key in its wrapper, if there is one. */
  readonly apiKey: Secret | undefined;
  /** Address that paths are appended to. */
  readonly baseUrl: string;
  /** Further headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** Variable that errors name. */
  readonly variable: string;
  /** Makes the requests. */
  readonly fetch: typeof globalThis.fetch;
  /** Releases what it holds. */
  readonly close: () => Promise<void>;
  /** Reads files. */
  readonly readFile: FileReader | undefined;
  /** Until the first content. */
  readonly requestMs: number;
  /** Between two pieces of a stream. */
  readonly silenceMs: number;
  /** Most bytes of an answer. */
  readonly maxAnswerBytes: number;
  /** Time in milliseconds. */
  readonly now: () => number;
  /** Makes ids. */
  readonly createId: () => string;
  /** Timers. */
  readonly schedule: Schedule;
  /** Takes the key, and headers that are secret, out of a text. */
  readonly mask: (text: string) => string;
}

/** Time of day that never jumps: a clock that is set would end calls that wait, or never end them. */
function steadyClock(): () => number {
  const { timeOrigin } = performance; // a slow getter
  return () => timeOrigin + performance.now();
}

function checkedKey(apiKey: string | Secret, variable: string): Secret {
  const value = (typeof apiKey === "string" ? apiKey : apiKey.reveal()).trim();
  if (value === "") throw new EngineError("config.invalid", { field: variable, problem: "it is empty" });
  // `fetch` would quote the key when it refuses the header.
  if (!/^[\x21-\x7e]+$/.test(value)) {
    throw new EngineError("config.invalid", { field: variable, problem: "it holds characters that no API key has" });
  }
  return new Secret(value);
}

/** A base URL as paths are appended to it. Errors: `config.invalid`, which names where it comes from. */
export function checkedUrl(baseUrl: string, field: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw new EngineError("config.invalid", { field, problem: "it is not an http or https address" });
  }
  if (url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") {
    throw new EngineError("config.invalid", { field, problem: "it has a query, a fragment, a user or a password" });
  }
  // As it was written, but for the slashes at the end: paths are appended.
  return baseUrl.trim().replace(/\/+$/, "");
}

/** Checks and completes the options of a provider. Errors: `config.invalid`. */
export function toConnection(options: ConnectionOptions, dialect: Dialect): Connection {
  const variable = options.keyVariable ?? dialect.keyVariable;
  const apiKey = options.apiKey === undefined ? undefined : checkedKey(options.apiKey, variable);
  const headers = { ...options.headers };
  const masker = createMasker([
    ...(apiKey === undefined ? [] : [apiKey]),
    ...secretHeaderValues(Object.entries(headers)),
  ]);
  const { connectMs, requestMs = DEFAULT_REQUEST_MS, silenceMs = DEFAULT_SILENCE_MS } = options.timeouts ?? {};
  const { proxy } = options;
  const own = options.fetch === undefined ? undefined : { fetch: options.fetch, close: async () => undefined };
  const { fetch, close } = own ?? openFetch({ connectMs, proxy });
  return {
    apiKey,
    baseUrl: checkedUrl(options.baseUrl ?? dialect.defaultBaseUrl, `base URL of ${dialect.family}`),
    headers,
    variable,
    fetch,
    close,
    readFile: options.readFile,
    requestMs,
    silenceMs,
    maxAnswerBytes: options.maxAnswerBytes ?? DEFAULT_MAX_ANSWER_BYTES,
    now: options.now ?? steadyClock(),
    createId: options.createId ?? randomUUID,
    schedule: options.schedule ?? scheduleTimer,
    mask: (text) => masker.mask(text),
  };
}
