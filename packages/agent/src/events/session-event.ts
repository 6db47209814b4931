import type { EventPayloads, EventType } from "@switchyard/contracts";

/** Event of a session. loop: SessionEvent, §2.9. */
export interface SessionEventOf<T extends EventType> {
  /** Event type. */
  readonly type: T;
  /** Time of the event, ISO 8601. */
  readonly timestamp: string;
  /** Id of the session that emitted the event. */
  readonly sessionId: string;
  /** Id of the subagent that emitted the event. `undefined` for the session itself. loop: §7. */
  readonly agentId?: string | undefined;
  /** Payload, the same as that of an envelope. */
  readonly data: EventPayloads[T];
}

/** Event of any type, distinguished by `type`. loop: SessionEvent, §2.9. */
export type SessionEvent = { [T in EventType]: SessionEventOf<T> }[EventType];

/** Events of a processing cycle or a session, in order. They need not be read. loop: §2.9. */
export interface SessionEvents extends AsyncIterable<SessionEvent> {
  /**
   * Resolves when the reader has requested the next event after all current ones, or has stopped reading. Never
   * resolves without a reader. A boundary hook that stores events elsewhere should wait for it first.
   */
  caughtUp(): Promise<void>;
}

/** Called with each event synchronously; the session continues when it returns. Errors are rethrown as uncaught. */
export type SessionListener = (event: SessionEvent) => void;

/** Emits an event. */
export type Emit = <T extends EventType>(type: T, data: EventPayloads[T]) => void;

/**
 * Types an event whose type and payload belong together by construction. The compiler can check this only for one type
 * at a time.
 */
export function toSessionEvent<T extends EventType>(event: SessionEventOf<T>): SessionEvent;
export function toSessionEvent(event: unknown): unknown {
  return event;
}
