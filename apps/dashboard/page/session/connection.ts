import { createClient, type SwitchyardClient } from "@switchyard/client";

/** Key of the token in session storage, which the browser deletes when the tab is closed. */
const TOKEN_KEY = "switchyard.token";
/** Maximum number of reconnections of an event stream. Large, because a laptop may sleep for hours. */
const STREAM_RETRIES = 10_000;
/** Maximum delay before a reconnection, in milliseconds. */
const LONGEST_WAIT_MS = 5_000;

/** Connection of the page to its server. */
export interface Connection {
  /** Client for single requests. */
  readonly client: SwitchyardClient;
  /**
   * Returns a client for event streams. `onConnect` is called for each established connection, and `onWait` before each
   * reconnection.
   */
  watcher(handlers: { onConnect(): void; onWait(): void }): SwitchyardClient;
}

/** Returns whether a text can be sent as a token in a header. */
export function isToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/** Returns the stored token; empty if there is none. */
export function storedToken(): string {
  return sessionStorage.getItem(TOKEN_KEY) ?? "";
}

/** Stores a token until the tab is closed. An empty token deletes the stored one. */
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

/** Creates a connection to the server from which the page was loaded. */
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
