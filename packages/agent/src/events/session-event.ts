import type { EventPayloads, EventType } from "@switchyard/contracts";

/** One thing that happened in a session. loop: SessionEvent, §2.9. */
export interface SessionEventOf<T extends EventType> {
  /** What happened: the kind of the event. */
  readonly type: T;
  /** When it happened, ISO 8601. */
  readonly timestamp: string;
  /** Session it happened in. */
  readonly sessionId: string;
  /** Subagent it happened in; unset for the session itself. loop: §7. */
  readonly agentId?: string | undefined;
  /** What there is to know about it; the same as the payload of an envelope. */
  readonly data: EventPayloads[T];
}

/** Any event of a session; `type` tells which. loop: SessionEvent, §2.9. */
export type SessionEvent = { [T in EventType]: SessionEventOf<T> }[EventType];

/** The events of a processing cycle or of a session, in order; nobody has to read them. loop: §2.9. */
export interface SessionEvents extends AsyncIterable<SessionEvent> {
  /**
   * Resolves when whoever iterates has come back for more behind every event so far, or has left: a boundary hook that
   * keeps events elsewhere waits for it first. Never resolves while nobody iterates.
   */
  caughtUp(): Promise<void>;
}

/** Is told of each event while it happens: the session goes on when it returns. What it throws is thrown as uncaught. */
export type SessionListener = (event: SessionEvent) => void;

/** Tells the host that something happened; the smallest thing a step of the loop needs. */
export type Emit = <T extends EventType>(type: T, data: EventPayloads[T]) => void;

/** Type and data of an event belong together by construction; the compiler only sees that for one type at a time. */
export function toSessionEvent<T extends EventType>(event: SessionEventOf<T>): SessionEvent;
export function toSessionEvent(event: unknown): unknown {
  return event;
}
