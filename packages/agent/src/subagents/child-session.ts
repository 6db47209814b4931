import type { EngineError } from "@switchyard/contracts";
import type { SessionEvents } from "../events/session-event.ts";
import type { SessionState } from "../session/session-state.ts";

/** Methods and properties of a subagent's session that the parent session uses. */
export interface ChildSession {
  readonly state: SessionState;
  readonly failure: EngineError | undefined;
  submit(text: string): SessionEvents;
  resume(): SessionEvents;
  steer(text: string): void;
  suggestBoundary(): void;
  close(): Promise<void>;
}
