import { setMaxListeners } from "node:events";

type Callback = () => void;

const callbacks = new WeakMap<AbortSignal, Callback[]>();

/** Calls all of them, also where one has others forgotten. */
function forEachLeft(waiting: Callback[]): void {
  for (let callback = waiting.shift(); callback !== undefined; callback = waiting.shift()) callback();
}

/** The abort of a session, which tells `whenAborted` itself: a listener for that would stay as long as the session does. */
export class SessionAbort {
  readonly #controller = new AbortController();
  readonly #waiting: Callback[] = [];

  constructor() {
    // Each running call listens for the abort, and an answer may hold any number of them.
    setMaxListeners(0, this.signal);
    callbacks.set(this.signal, this.#waiting);
  }

  /** Fires once it is aborted. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Fires the signal; nothing when it has fired. */
  abort(reason?: unknown): void {
    this.#controller.abort(reason);
    forEachLeft(this.#waiting);
  }
}

function follow(signal: AbortSignal): Callback[] {
  const waiting: Callback[] = [];
  callbacks.set(signal, waiting);
  signal.addEventListener("abort", () => forEachLeft(waiting), { once: true });
  return waiting;
}

/**
 * Calls back when a signal fires, unless `forgetAborted` was called before; at once where it fired already. A signal gets
 * one listener for all model and tool calls: adding and removing one costs as much as a call.
 */
export function whenAborted(signal: AbortSignal, callback: Callback): void {
  if (signal.aborted) callback();
  else (callbacks.get(signal) ?? follow(signal)).push(callback);
}

/** Takes back what `whenAborted` was given. */
export function forgetAborted(signal: AbortSignal, callback: Callback): void {
  const waiting = callbacks.get(signal);
  if (waiting === undefined) return;
  // Mostly the last: there are as many as calls at the same time.
  if (waiting.at(-1) === callback) {
    waiting.pop();
    return;
  }
  const index = waiting.lastIndexOf(callback);
  if (index >= 0) waiting.splice(index, 1);
}
