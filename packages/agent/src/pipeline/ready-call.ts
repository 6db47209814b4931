import type { RegisteredTool, ToolArguments, ToolCallPart } from "@switchyard/contracts";
import type { ToolOutcome } from "./tool-outcome.ts";

/** Call of an existing tool with valid arguments. loop: §3.8, after step 2. */
export interface ReadyCall {
  readonly kind: "ready";
  readonly call: ToolCallPart;
  readonly tool: RegisteredTool;
  readonly args: ToolArguments;
}

/** Call that ended before its execution. */
export interface EndedCall {
  readonly kind: "ended";
  readonly outcome: ToolOutcome;
}

/** Gate around the execution of a call: approvals and hooks. loop: §3.8, §8. */
export interface CallGate {
  /** Time at which the call was allowed, in milliseconds. Waiting for approval does not count towards its duration. */
  readonly enteredMs: number | undefined;
  /** Allows a call, possibly with changed arguments, or ends it. A rejection ends the session. */
  enter(call: ReadyCall): Promise<ReadyCall | EndedCall>;
  /** Receives the outcome of an executed call, and may replace it. Contract: never rejects. */
  leave(call: ReadyCall, outcome: ToolOutcome): Promise<ToolOutcome>;
}
