import type { EventPayloads, EventType } from "@switchyard/contracts";

/** Event of a session. See loop: SessionEvent, §2.9. */
export interface SessionEventOf<T extends EventType> {
  /** Event type. */
  readonly type: T;
  /** Time of the event, ISO 8601. */
  readonly timestamp: string;
  /** Id of the session that emitted the event. */
  readonly sessionId: string;
  /** Id of the subagent that emitted the event. `undefined` for the session itself. See loop: §7. */
  readonly agentId?: string | undefined;
  /** Payload of the event, in the format of the event envelope's payload. */
  readonly data: EventPayloads[T];
}

/** Event of any type, distinguished by `type`. See loop: SessionEvent, §2.9. */
export type SessionEvent = { [T in EventType]: SessionEventOf<T> }[EventType];

/** Events of a processing cycle or a session, in order. They need not be read. See loop: §2.9. */
export interface SessionEvents extends AsyncIterable<SessionEvent> {
  /**
   * Resolves when the reader has processed all current events, or has stopped reading. Never resolves without a reader.
   * If the reader stores events, the `onBoundary` hook should wait for this promise before it stores session state.
   */
  caughtUp(): Promise<void>;
}

/**
 * Called with each event synchronously; the session continues when the listener returns. Errors of a listener are
 * rethrown as uncaught errors.
 */
export type SessionListener = (event: SessionEvent) => void;

/** Emits an event. */
export type Emit = <T extends EventType>(type: T, data: EventPayloads[T]) => void;

/**
 * Returns an event with its precise type. The caller guarantees that `type` and `data` match, which the compiler cannot
 * check for a generic type.
 */
export function toSessionEvent<T extends EventType>(event: SessionEventOf<T>): SessionEvent;
export function toSessionEvent(event: unknown): unknown {
  return event;
}
