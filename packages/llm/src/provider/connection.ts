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

/** Options of a provider that may not need a key. */
export interface ConnectionOptions extends Omit<ProviderOptions, "apiKey"> {
  /** API key. `undefined`: none is sent. */
  apiKey?: string | Secret | undefined;
}

/** Validated and completed options of a provider. */
export interface Connection {
  /** API key, wrapped as a secret. `undefined` if there is none. */
  readonly apiKey: Secret | undefined;
  /** Base URL to which paths are appended. */
  readonly baseUrl: string;
  /** Additional headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** Environment variable that is named by error messages about the API key. */
  readonly variable: string;
  /** Performs the requests. */
  readonly fetch: typeof globalThis.fetch;
  /** Releases its resources. */
  readonly close: () => Promise<void>;
  /** Reads files. */
  readonly readFile: FileReader | undefined;
  /** Time limit until the first content, in milliseconds. */
  readonly requestMs: number;
  /** Time limit between two chunks of a stream, in milliseconds. */
  readonly silenceMs: number;
  /** Maximum size of a response, in bytes. */
  readonly maxAnswerBytes: number;
  /** Returns the time in milliseconds. */
  readonly now: () => number;
  /** Generates ids. */
  readonly createId: () => string;
  /** Schedules timers. */
  readonly schedule: Schedule;
  /** Removes the key and secret headers from a text. */
  readonly mask: (text: string) => string;
}

/** Returns a monotonic clock. With the system time, a change of the clock would end waiting calls early or never. */
function steadyClock(): () => number {
  const { timeOrigin } = performance; // a slow getter
  return () => timeOrigin + performance.now();
}

function checkedKey(apiKey: string | Secret, variable: string): Secret {
  const value = (typeof apiKey === "string" ? apiKey : apiKey.reveal()).trim();
  if (value === "") throw new EngineError("config.invalid", { field: variable, problem: "it is empty" });
  // The key is checked here, because an error of `fetch` about an invalid header would contain the key.
  if (!/^[\x21-\x7e]+$/.test(value)) {
    throw new EngineError("config.invalid", {
      field: variable,
      problem: "it contains characters that are not allowed in an API key",
    });
  }
  return new Secret(value);
}

/** Validates a base URL to which paths are appended. Throws `config.invalid` with the name of its source. */
export function checkedUrl(baseUrl: string, field: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw new EngineError("config.invalid", { field, problem: "it is not an http or https address" });
  }
  if (url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") {
    throw new EngineError("config.invalid", { field, problem: "it has a query, a fragment, a user or a password" });
  }
  // The URL is used unchanged except for trailing slashes, to which paths could not be appended.
  return baseUrl.trim().replace(/\/+$/, "");
}

/** Validates and completes the options of a provider. Throws `config.invalid`. */
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
  const configured = options.fetch === undefined ? undefined : { fetch: options.fetch, close: async () => undefined };
  const { fetch, close } = configured ?? openFetch({ connectMs, proxy });
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
