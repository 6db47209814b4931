import { setMaxListeners } from "node:events";

type Callback = () => void;

const callbacks = new WeakMap<AbortSignal, Callback[]>();

/** Calls all callbacks. A callback may remove other callbacks, which are then not called. */
function runRemaining(waiting: Callback[]): void {
  for (let callback = waiting.shift(); callback !== undefined; callback = waiting.shift()) callback();
}

/**
 * Abort controller of a session. It calls the callbacks of `whenAborted` directly, because an abort listener would live
 * as long as the session.
 */
export class SessionAbort {
  readonly #controller = new AbortController();
  readonly #waiting: Callback[] = [];

  constructor() {
    // Disables the limit on listeners: each running tool call adds one, and a response may contain any number of calls.
    setMaxListeners(0, this.signal);
    callbacks.set(this.signal, this.#waiting);
  }

  /** Signal that aborts when the session is aborted. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Aborts the signal. Has no effect the second time. */
  abort(reason?: unknown): void {
    this.#controller.abort(reason);
    runRemaining(this.#waiting);
  }
}

function follow(signal: AbortSignal): Callback[] {
  const waiting: Callback[] = [];
  callbacks.set(signal, waiting);
  signal.addEventListener("abort", () => runRemaining(waiting), { once: true });
  return waiting;
}

/**
 * Calls a function when a signal aborts, or immediately if it already has. A signal gets one listener for all model and
 * tool calls, because adding and removing listeners costs as much as a call.
 */
export function whenAborted(signal: AbortSignal, callback: Callback): void {
  if (signal.aborted) callback();
  else (callbacks.get(signal) ?? follow(signal)).push(callback);
}

/** Removes a callback of `whenAborted`. */
export function forgetAborted(signal: AbortSignal, callback: Callback): void {
  const waiting = callbacks.get(signal);
  if (waiting === undefined) return;
  // There are only as many callbacks as concurrent calls, so this callback is usually the last one in the list.
  if (waiting.at(-1) === callback) {
    waiting.pop();
    return;
  }
  const index = waiting.lastIndexOf(callback);
  if (index >= 0) waiting.splice(index, 1);
}
