import type { WireError } from "../errors/engine-error.ts";
import type { RunStatus } from "../session/run-status.ts";
import type { SessionInput } from "../session/session-input.ts";
import type { SessionMessage } from "../session/session-message.ts";
import type { SessionResult } from "../session/session-result.ts";
import type { UsageView } from "../session/usage-view.ts";
import type { WorkspaceSource } from "../session/workspace-source.ts";

/** Body of `POST /v1/runs`. */
export interface CreateRun {
  /** Input of the run: the conversation, and optional settings. */
  input: SessionInput;
  /** JSON Schema of the response. The run's `output` then holds the parsed document. Default: free text. */
  output_schema?: Record<string, unknown> | undefined;
  /**
   * Maximum number of attempts, each of which executes the run. If an attempt fails with an error that can be retried,
   * the next one begins after a wait. Default: 1.
   */
  max_attempts?: number | undefined;
  /** Name of the engine, on a server whose workers have several engines. Default: the server's engine. */
  engine?: string | undefined;
  /** Environment that the worker must have, such as `sandbox`. Only on a server with workers. Default: any. */
  environment?: string | undefined;
  /** Labels that the worker must have, with their values. Only on a server with workers. Default: none. */
  labels?: Record<string, string> | undefined;
  /** Where the worker gets the workspace from. Only on a server with workers. Default: the uploaded files. */
  workspace?: WorkspaceSource | undefined;
  /** Priority of the run: the caller's waiting runs with a higher number start first. Default: 0. */
  priority?: number | undefined;
  /** URL that receives a POST request when the run ends. */
  webhook_url?: string | undefined;
}

/** Body of `POST /v1/runs/{run_id}/steer`. */
export interface SteerRun {
  /** Text of the message to the engine. */
  text: string;
  /**
   * When the engine receives the message. `now` (default): between two tool rounds, each of which is a model response
   * and its tool calls. `after`: when the current input is done.
   */
  when?: "now" | "after" | undefined;
}

/** Body of `POST /v1/runs/{run_id}/answer`. */
export interface AnswerRun {
  /** Id of the question, from the `user_prompted` event. */
  prompt_id: string;
  /** Answer to the question. */
  text: string;
}

/** Body of `POST /v1/runs/{run_id}/interrupt`. */
export interface InterruptRun {
  /** Reason for the interrupt, as free text. */
  detail?: string | undefined;
}

/** Body of `POST /v1/runs/{run_id}/fork`. */
export interface ForkRun {
  /** Messages that are appended to the conversation. */
  messages?: SessionMessage[] | undefined;
  /** Model for the new run, `provider/name`. Default: the model of the original run. */
  model?: string | undefined;
  /** URL that receives a POST request when the new run ends. */
  webhook_url?: string | undefined;
}

/** Body of `POST /v1/runs/{run_id}/undo`. */
export interface UndoRun {
  /** True to only check whether the changes can be reverted. Default: false. */
  dry_run?: boolean | undefined;
}

/** Response to `POST /v1/runs/{run_id}/undo`. */
export interface UndoneRun {
  /** Id of the run. */
  run_id: string;
  /** True if the changes were reverted; false for a dry run. */
  undone: boolean;
  /** Changes that were or would be reverted, as a unified diff. */
  workspace_diff: string;
}

/** Current activity of a run in progress, for lists and dashboards. */
export interface RunActivity {
  /** Number of the current turn of the root agent, to which all subagents belong; 0 before the first. */
  turn: number;
  /** Last reported activity in a few words, such as `shell: npm test`; `undefined` if there is none yet. */
  doing?: string | undefined;
  /** Time of the last event, ISO 8601; `undefined` if there is none yet. */
  last_event_at?: string | undefined;
  /** Oldest question that waits for an answer; `undefined` if there is none. */
  question?: OpenQuestion | undefined;
}

/** The tool call that a question asks about. */
export interface ApprovalRequest {
  /** Name of the tool. */
  tool: string;
  /** Arguments of the call as JSON. `undefined` if they are unknown or longer than 20,000 characters. */
  arguments?: string | undefined;
  /** Command that the call runs. `undefined` if it runs none. */
  command?: string | undefined;
  /** Folder in which the command runs. `undefined`: the workspace. */
  folder?: string | undefined;
  /** Why a permission is needed. `undefined` if no rule gives a reason. */
  reason?: string | undefined;
  /** Id of the subagent that calls the tool. `undefined`: the root agent. */
  agent_id?: string | undefined;
}

/** A question of a run that waits for an answer. */
export interface OpenQuestion {
  /** Id of the question. An answer must name this id. */
  prompt_id: string;
  /** Text of the question, shortened if long. */
  text: string;
  /** Allowed answers; empty if any text is allowed. */
  choices: string[];
  /** Time the question was asked, ISO 8601. */
  asked_at: string;
  /**
   * The tool call, if the question asks whether that call may run. `text` then describes the call in one line.
   * `undefined` for other questions.
   */
  approval?: ApprovalRequest | undefined;
}

/** A run as it appears in a list. */
export interface RunView {
  /** Id of the run. */
  run_id: string;
  /** Id of the run that this run was forked from. `undefined` if this run was not forked. */
  parent_run_id?: string | undefined;
  /** Caller that the run belongs to. `undefined` if the server has no callers configured. */
  owner?: string | undefined;
  /** Name of its engine. */
  engine: string;
  /** Model reference, `provider/name`. */
  model?: string | undefined;
  /** First words of the prompt. */
  title: string;
  /** Status of the run. */
  status: RunStatus;
  /** Number of the run's newest attempt (execution); 1 for the first. */
  attempt: number;
  /** Name of the worker of the newest attempt; `undefined` if the server executes its runs itself. */
  worker?: string | undefined;
  /** Full id of the commit that was checked out as the workspace; `undefined` without a git source. */
  commit?: string | undefined;
  /** Time the run was accepted, ISO 8601. */
  created_at: string;
  /** Time the run's first attempt began, ISO 8601; `undefined` while the run is queued. */
  started_at?: string | undefined;
  /** Time the run ended, ISO 8601; `undefined` while the run is queued or running. */
  finished_at?: string | undefined;
  /** True if `POST …/resume` is allowed now. */
  resumable: boolean;
  /**
   * Token usage and cost of all attempts. If the run is in progress, usage and cost up to now. `undefined` if unknown.
   */
  usage?: UsageView | undefined;
  /** Current activity; `undefined` if this server does not execute the run. */
  activity?: RunActivity | undefined;
}

/** An artifact of a run: a file that the engine declared as part of its result. */
export interface ArtifactView {
  /** Name that the engine declared. */
  name: string;
  /** Path of the artifact, relative to the URL `…/artifacts/`; `undefined` if the artifact was not archived. */
  path?: string | undefined;
  /** Size in bytes. */
  bytes?: number | undefined;
  /** Media type that the engine declared. */
  content_type?: string | undefined;
  /** Reason why the artifact was not archived; `undefined` if it was archived. */
  dropped?: string | undefined;
}

/** A run with its results. */
export interface RunDetail extends RunView {
  /** Result that the engine returned; `undefined` if there is none yet. */
  result?: SessionResult | undefined;
  /** Parsed document, if an output schema was given and the run completed. */
  output?: unknown;
  /** Error that explains why there is no result or why the run was stopped. */
  error?: WireError | undefined;
  /** Artifacts of the run, both archived ones and those that were not archived. */
  artifacts?: ArtifactView[] | undefined;
  /** Problems that did not stop the run, one sentence each. */
  warnings?: string[] | undefined;
  /** Changes to the workspace as a unified diff. */
  workspace_diff?: string | undefined;
  /** Time at which the changes to the workspace were reverted, ISO 8601; `undefined` if they were not. */
  undone_at?: string | undefined;
}

/** A page of runs. */
export interface RunList {
  /** Runs of this page, in the requested order. Default: newest first. */
  runs: RunView[];
  /** Number of runs on all pages. */
  total: number;
  /** Cursor for the next page; `undefined` on the last page. */
  next_cursor?: string | undefined;
}

/** Runs of one engine that were accepted on one day. */
export interface RunStatisticsRow {
  /** Day in UTC, `YYYY-MM-DD`. */
  day: string;
  /** Name of the engine. */
  engine: string;
  /** Number of runs. */
  runs: number;
  /** Number of runs that completed. */
  completed: number;
  /** Number of runs that ended without completing. */
  not_completed: number;
  /** Number of tokens of the runs of this row. Runs whose usage is unknown are not included. */
  total_tokens: number;
  /** Cost of the runs of this row, in millionths of a US dollar. Runs whose cost is unknown are not included. */
  cost_micros: number;
  /** Number of runs whose cost is known. */
  priced: number;
}

/** Number, token usage and cost of runs, by day and engine. */
export interface RunStatistics {
  /** Rows in order of day, then engine. Days without runs have no row. */
  rows: RunStatisticsRow[];
  /** Engines of all runs that the caller may see, in alphabetical order. Filters do not change this list. */
  engines: string[];
  /** Owners of all runs that the caller may see, in alphabetical order. Filters do not change this list. */
  owners: string[];
}

/**
 * Usage and limits of the budget that the runs of one owner (a person, program or group) share. Absent limits do not
 * apply.
 */
export interface BudgetView {
  /** Number of input and output tokens used today (UTC). */
  tokens_used: number;
  /** Number of tokens that model calls in progress have reserved. */
  tokens_reserved: number;
  /** Maximum number of tokens per day. */
  tokens_per_day?: number | undefined;
  /** Cost of today (UTC), in US dollars. */
  usd_used: number;
  /** Cost that model calls in progress have reserved, in US dollars. */
  usd_reserved: number;
  /** Maximum cost per day, in US dollars. */
  usd_per_day?: number | undefined;
  /** Number of active runs. */
  active_runs: number;
  /** Maximum number of active runs. */
  concurrent_runs?: number | undefined;
  /** Time at which the next day begins, ISO 8601. */
  resets_at: string;
}

/**
 * Identity of the caller that sends a request, and what remains of the limits of its owner: the person, program or
 * group to which the caller's token belongs.
 */
export interface CallerView {
  /** Owner whose runs the caller may access. */
  owner: string;
  /** Roles of the caller, such as `runner`. */
  roles: string[];
  /** Identity of the caller in logs. `undefined` if the server does not distinguish callers. */
  subject?: string | undefined;
  /** Time at which the caller's token expires, ISO 8601. `undefined` if it does not expire. */
  expires_at?: string | undefined;
  /** Number of the owner's waiting runs. */
  waiting: number;
  /** Number of the owner's running runs. */
  running: number;
  /** Number of runs of the owner that have started today (UTC), as far as the server knows. */
  started_today: number;
  /** Number of runs that can still be added to the queue of waiting runs. */
  waiting_left: number;
  /** Number of further runs that the owner's limit of concurrent runs allows. `undefined`: unlimited. */
  running_left?: number | undefined;
  /** Number of runs that may still start today (UTC). `undefined`: unlimited. */
  starts_left?: number | undefined;
  /** Budget of the owner. `undefined` if the owner has none. */
  budget?: BudgetView | undefined;
}

/** The artifacts of a run. */
export interface ArtifactList {
  /** All artifacts of the run, both archived ones and those that were not archived. */
  artifacts: ArtifactView[];
}

/** Response to a request that was accepted and is carried out asynchronously. */
export interface Accepted {
  /** Id of the run. */
  run_id: string;
  /** Always `true`. */
  accepted: true;
}

/** Error response in the format of RFC 9457, with additional fields such as the error code. */
export interface Problem {
  /** Always `about:blank`; `code` identifies the error. */
  type: string;
  /** Title of the HTTP status, such as `Not Found`. */
  title: string;
  /** HTTP status. */
  status: number;
  /** What failed, in one sentence. */
  detail: string;
  /** Error code from the error table, such as `run.not_found`. */
  code: string;
  /** What to do next. */
  remedy: string;
  /** True if the same request may succeed later. */
  retryable: boolean;
  /** Seconds to wait before retrying. */
  retry_after?: number | undefined;
  /** Configured value of the limit that was exceeded. */
  limit?: number | undefined;
}
