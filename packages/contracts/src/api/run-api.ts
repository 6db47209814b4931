import type { WireError } from "../errors/engine-error.ts";
import type { RunStatus } from "../session/run-status.ts";
import type { SessionInput } from "../session/session-input.ts";
import type { SessionMessage } from "../session/session-message.ts";
import type { SessionResult } from "../session/session-result.ts";

/** Body of `POST /v1/runs`. */
export interface CreateRun {
  /** What the run is asked to do. */
  input: SessionInput;
  /** JSON Schema that its answer fits: `output` of the run then holds the document. Any text by default. */
  output_schema?: Record<string, unknown> | undefined;
  /** How often the run is tried when it fails on the way; once by default. */
  max_attempts?: number | undefined;
  /** Address that is told when the run is over. */
  webhook_url?: string | undefined;
}

/** Body of `POST /v1/runs/{run_id}/steer`. */
export interface SteerRun {
  /** What is said to the engine. */
  text: string;
  /** `now`, between two rounds of tools, which is the default; or `after` what it works on. */
  when?: "now" | "after" | undefined;
}

/** Body of `POST /v1/runs/{run_id}/answer`. */
export interface AnswerRun {
  /** Id of the question, from the event `user_prompted`. */
  prompt_id: string;
  /** The answer. */
  text: string;
}

/** Body of `POST /v1/runs/{run_id}/interrupt`. */
export interface InterruptRun {
  /** Why, in one's own words. */
  detail?: string | undefined;
}

/** Body of `POST /v1/runs/{run_id}/fork`. */
export interface ForkRun {
  /** What is said next, behind what was said. */
  messages?: SessionMessage[] | undefined;
  /** Another model, `provider/name`. */
  model?: string | undefined;
  /** Address that is told when the new run is over. */
  webhook_url?: string | undefined;
}

/** Tokens and cost of a run. */
export interface UsageView {
  /** Tokens that went in. */
  input_tokens: number;
  /** Tokens that came out. */
  output_tokens: number;
  /** Sum of both. */
  total_tokens: number;
  /** Cost in millionths of a US dollar; absent when the price is unknown. */
  cost_micros?: number | undefined;
}

/** A run as it is listed. */
export interface RunView {
  /** Its id. */
  run_id: string;
  /** Run that it was forked from. */
  parent_run_id?: string | undefined;
  /** Whose it is. */
  owner?: string | undefined;
  /** Name of its engine. */
  engine: string;
  /** Model reference, `provider/name`. */
  model?: string | undefined;
  /** First words of the task. */
  title: string;
  /** Where it stands. */
  status: RunStatus;
  /** 1-based number of the attempt. */
  attempt: number;
  /** When it was accepted, ISO 8601. */
  created_at: string;
  /** When its first attempt began, ISO 8601; absent while it waits for that. */
  started_at?: string | undefined;
  /** When it ended, ISO 8601. */
  finished_at?: string | undefined;
  /** Whether `POST …/resume` may go on with it now. */
  resumable: boolean;
}

/** An artifact of a run. */
export interface ArtifactView {
  /** Declared name. */
  name: string;
  /** Path below `…/artifacts/`; absent where it was not archived. */
  path?: string | undefined;
  /** Size in bytes. */
  bytes?: number | undefined;
  /** Media type, as the engine says. */
  content_type?: string | undefined;
  /** Why it was not archived. */
  dropped?: string | undefined;
}

/** A run with what came of it. */
export interface RunDetail extends RunView {
  /** The engine's result. */
  result?: SessionResult | undefined;
  /** The document that was asked for with an output schema. */
  output?: unknown;
  /** Why there is no result, or why it was stopped. */
  error?: WireError | undefined;
  /** Tokens and cost of all attempts. */
  usage?: UsageView | undefined;
  /** What was archived and what was dropped. */
  artifacts?: ArtifactView[] | undefined;
  /** What was not as it should be although the run went on. */
  warnings?: string[] | undefined;
  /** Changes to the workspace as a unified diff. */
  workspace_diff?: string | undefined;
}

/** A page of runs, the newest first. */
export interface RunList {
  /** Its runs. */
  runs: RunView[];
  /** Where the next page begins; absent on the last one. */
  next_cursor?: string | undefined;
}

/** The artifacts of a run. */
export interface ArtifactList {
  /** All of them. */
  artifacts: ArtifactView[];
}

/** What was taken note of. */
export interface Accepted {
  /** Id of the run. */
  run_id: string;
  /** Always so. */
  accepted: true;
}

/** What went wrong: RFC 9457, with the row of the error table. */
export interface Problem {
  /** `about:blank`: the code says more. */
  type: string;
  /** Name of the status. */
  title: string;
  /** HTTP status. */
  status: number;
  /** One sentence. */
  detail: string;
  /** Code of the error table. */
  code: string;
  /** What to do next. */
  remedy: string;
  /** Whether the same request may succeed later. */
  retryable: boolean;
  /** Seconds after which it is worth to ask again. */
  retry_after?: number | undefined;
  /** The limit that was reached. */
  limit?: number | undefined;
}
