import type { RegisteredTool, ToolArguments, ToolCallPart } from "@switchyard/contracts";
import type { ToolOutcome } from "./tool-outcome.ts";

/** A call whose tool exists and whose arguments are valid. See loop: §3.8, after step 2. */
export interface ReadyCall {
  readonly kind: "ready";
  readonly call: ToolCallPart;
  readonly tool: RegisteredTool;
  readonly args: ToolArguments;
}

/** A call that ended before its tool was executed. */
export interface EndedCall {
  readonly kind: "ended";
  readonly outcome: ToolOutcome;
}

/** Runs approvals and hooks before a call is executed, and hooks after it. See loop: §3.8, §8. */
export interface CallGate {
  /**
   * Time when `enter` allowed the call, in milliseconds. The call's duration is measured from this time, so it does not
   * include the wait for approval.
   */
  readonly enteredMs: number | undefined;
  /**
   * Returns the call to execute, possibly with changed arguments, or the outcome of a call that is not executed. A
   * rejection ends the session.
   */
  enter(call: ReadyCall): Promise<ReadyCall | EndedCall>;
  /** Returns the outcome of an executed call, possibly changed. Contract: never rejects. */
  leave(call: ReadyCall, outcome: ToolOutcome): Promise<ToolOutcome>;
}
