import { type AgentSession, EngineError } from "@switchyard/contracts";

/** Sessions of one adapter, with the adapter's private state. */
export interface SessionRegistry<State> {
  /** Adds a session. `id` is a function that is called whenever the session's id is read. */
  add(state: State, id: () => string): AgentSession;
  /** Returns the state of a session. Throws `adapter.session_misused` for a session of another adapter. */
  stateOf(session: AgentSession): State;
}

/** Creates a registry for an adapter kind. */
export function createSessionRegistry<State>(kind: string): SessionRegistry<State> {
  const states = new WeakMap<AgentSession, State>();
  return {
    add(state, id) {
      const session: AgentSession = Object.freeze({
        get id() {
          return id();
        },
      });
      states.set(session, state);
      return session;
    },
    stateOf(session) {
      const state = states.get(session);
      if (state === undefined) {
        throw new EngineError("adapter.session_misused", { kind, problem: "it was not started by this adapter" });
      }
      return state;
    },
  };
}

/** Allows one turn of a session at a time, and none after the session was stopped. */
export class TurnGate {
  readonly #kind: string;
  #running: { readonly over: Promise<unknown>; readonly stop: AbortController } | undefined;
  #isStopped = false;

  constructor(kind: string) {
    this.#kind = kind;
  }

  /** Runs a turn; the signal aborts when the session is stopped. Rejects with `adapter.session_misused`. */
  async run<T>(turn: (stopped: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#isStopped) this.#refuse("it was stopped");
    if (this.#running !== undefined) this.#refuse("a turn of it is running");
    const stop = new AbortController();
    const over = turn(stop.signal);
    this.#running = { over, stop };
    try {
      return await over;
    } finally {
      this.#running = undefined;
    }
  }

  /** Stops the current turn and rejects later turns. Resolves with true if the session had already been stopped. */
  async stop(): Promise<boolean> {
    const wasStopped = this.#isStopped;
    this.#isStopped = true;
    this.#running?.stop.abort();
    await this.#running?.over.catch(() => {});
    return wasStopped;
  }

  #refuse(problem: string): never {
    throw new EngineError("adapter.session_misused", { kind: this.#kind, problem });
  }
}
