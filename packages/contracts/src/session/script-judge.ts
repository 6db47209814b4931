import type { TranscriptMessage } from "./session-message.ts";
import type { SessionResult } from "./session-result.ts";

/** Input of a script that judges a run of an evaluation. */
export interface ScriptJudgeInput {
  /** Version of the format. */
  format: 1;
  /** Id of the case. */
  case_id: string;
  /** Name of the variant of the case. `undefined` if the evaluation has no variants. */
  variant?: string | undefined;
  /** Name of the engine in the evaluation. */
  engine: string;
  /** Iteration number, starting at 1. */
  iteration: number;
  /** Task of the engine: the last message of the user, or all messages of a conversation. */
  task: string;
  /** Final message of the engine. For a conversation: the response to the last completed turn. */
  final_message: string;
  /** Result of the engine, without its transcript. `undefined` if there is none. */
  result?: Omit<SessionResult, "transcript"> | undefined;
  /** All messages of the session, in order. Empty if the engine reports none. */
  transcript: TranscriptMessage[];
  /** User turns, in order. */
  turns: ScriptJudgeTurn[];
  /** Files of the workspace, without those of `.git` folders. */
  files: ScriptJudgeFile[];
  /** True if the workspace has more files than listed. */
  are_files_partial: boolean;
  /** Changes to the workspace as a unified diff. `undefined` if unknown. */
  workspace_diff?: string | undefined;
}

/** A user turn of a judged run. */
export interface ScriptJudgeTurn {
  /** Message of the user. */
  content: string;
  /** Response of the engine. */
  response: string;
  /**
   * `completed`: the engine responded and the turn's condition holds. `failed`: the condition does not hold. `skipped`:
   * the turn was not sent. `error`: the engine failed, or a value could not be captured.
   */
  status: "completed" | "failed" | "skipped" | "error";
}

/** A file in the workspace of a judged run. */
export interface ScriptJudgeFile {
  /** Path relative to the workspace, with `/` as separator. */
  path: string;
  /** Size in bytes. `undefined` if unknown. */
  bytes?: number | undefined;
}

/** Answer of a script that judges a run. */
export interface ScriptJudgeAnswer {
  /** Whether the work is accepted. */
  passed?: boolean | undefined;
  /** Why. */
  reason?: string | undefined;
  /** Score from 0 to 1. */
  score?: number | undefined;
  /** Reason why the script cannot decide. Given instead of `passed`. */
  error?: string | undefined;
}
