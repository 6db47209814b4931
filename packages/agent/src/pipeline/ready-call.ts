import type { RegisteredTool, ToolArguments, ToolCallPart } from "@switchyard/contracts";
import type { ToolOutcome } from "./tool-outcome.ts";

/** A call whose tool is there and whose arguments are valid. loop: §3.8, behind step 2. */
export interface ReadyCall {
  readonly kind: "ready";
  readonly call: ToolCallPart;
  readonly tool: RegisteredTool;
  readonly args: ToolArguments;
}

/** A call that came to its end before it was carried out. */
export interface EndedCall {
  readonly kind: "ended";
  readonly outcome: ToolOutcome;
}

/** Stands round the execution of calls: approvals and hooks. loop: §3.8, §8. */
export interface CallGate {
  /** When it let the call pass, in milliseconds: time in which a call waits for its permission is not its own. */
  readonly enteredMs: number | undefined;
  /** Lets a call pass, perhaps with other arguments, or ends it. A rejection ends the session. */
  enter(call: ReadyCall): Promise<ReadyCall | EndedCall>;
  /** Takes the outcome of a call that was carried out, perhaps to give out another. Contract: never rejects. */
  leave(call: ReadyCall, outcome: ToolOutcome): Promise<ToolOutcome>;
}
