import { createClient, type SwitchyardClient } from "@switchyard/client";
import { EngineError } from "@switchyard/contracts";

/** Name in the storage of this tab: a token lives as long as the tab. */
const TOKEN_KEY = "switchyard.token";
/** Times that a stream is connected anew before it is given up: a laptop that sleeps over night comes back. */
const STREAM_RETRIES = 10_000;
/** Longest wait before that, in milliseconds. */
const LONGEST_WAIT_MS = 5_000;

/** How a page reaches its server. */
export interface Connection {
  /** For what is asked once. */
  readonly client: SwitchyardClient;
  /** For the events of a run; told of each connection that stands, and of each wait before it is connected anew. */
  watcher(told: { onConnect(): void; onWait(): void }): SwitchyardClient;
}

/** Whether a text can be a token at all: others cannot be sent in a header. */
export function isToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/** The token of this tab; empty without one. */
export function storedToken(): string {
  return sessionStorage.getItem(TOKEN_KEY) ?? "";
}

/** Keeps a token as long as this tab, or forgets it. */
export function storeToken(token: string): void {
  if (token === "") sessionStorage.removeItem(TOKEN_KEY);
  else sessionStorage.setItem(TOKEN_KEY, token);
}

function waitFor(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, Math.min(ms, LONGEST_WAIT_MS));
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** A connection to the server that this page came from. */
export function connect(token: string): Connection {
  const options = { url: location.origin, ...(token === "" ? {} : { token }) };
  return {
    client: createClient({ ...options, retries: 1 }),
    watcher: ({ onConnect, onWait }) =>
      createClient({
        ...options,
        retries: STREAM_RETRIES,
        fetch: async (address, request) => {
          const answer = await fetch(address, request);
          if (answer.ok) onConnect();
          return answer;
        },
        sleep: (ms, signal) => {
          onWait();
          return waitFor(ms, signal);
        },
      }),
  };
}

/** What went wrong, and what to do next, in the server's words. */
export function problemText(error: unknown): string {
  if (EngineError.is(error)) return `${error.message} ${error.remedy}`;
  return error instanceof Error ? error.message : String(error);
}

/** Whether the server wants another token. */
export function needsToken(error: unknown): boolean {
  return EngineError.is(error, "server.unauthorized");
}
