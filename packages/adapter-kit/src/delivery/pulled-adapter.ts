import type { AgentAdapter, AgentEvent, AgentSession } from "@switchyard/contracts";

/**
 * Maximum number of unread events. If more arrive, the oldest heartbeats (notifications without a text) are dropped
 * first, then the oldest events.
 */
const MAX_WAITING = 100_000;

/** A queue that can be read while items are added. */
class EventQueue implements AsyncIterableIterator<AgentEvent> {
  readonly #events: AgentEvent[] = [];
  #wake: (() => void) | undefined;
  #isClosed = false;

  push(event: AgentEvent): void {
    if (this.#isClosed) return;
    if (this.#events.length >= MAX_WAITING) this.#dropOne();
    this.#events.push(event);
    this.#wake?.();
  }

  #dropOne(): void {
    const index = this.#events.findIndex(({ type, message }) => type === "notification" && message === "");
    this.#events.splice(Math.max(0, index), 1);
  }

  close(): void {
    this.#isClosed = true;
    this.#wake?.();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<AgentEvent>> {
    for (;;) {
      const value = this.#events.shift();
      if (value !== undefined) return { done: false, value };
      if (this.#isClosed) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  return(): Promise<IteratorResult<AgentEvent>> {
    this.close();
    return Promise.resolve({ done: true, value: undefined });
  }
}

/**
 * Returns an adapter that delivers events through `eventStream` instead of `onEvent`. The stream ends when the session
 * is stopped. See agent-adapter: EventStream.
 */
export function pulledAdapter(inner: AgentAdapter): AgentAdapter {
  const queues = new WeakMap<AgentSession, EventQueue>();
  const queueOf = (session: AgentSession): EventQueue => {
    const queue = queues.get(session) ?? new EventQueue();
    queues.set(session, queue);
    return queue;
  };
  return {
    ...{ kind: inner.kind, capabilities: inner.capabilities, modelRoute: inner.modelRoute },
    startSession: (options) => inner.startSession(options),
    runTurn: (session, options) => {
      const queue = queueOf(session);
      return inner.runTurn(session, { ...options, onEvent: (event) => queue.push(event) });
    },
    async stopSession(session) {
      try {
        await inner.stopSession(session);
      } finally {
        queueOf(session).close();
      }
    },
    eventStream: queueOf,
  };
}
