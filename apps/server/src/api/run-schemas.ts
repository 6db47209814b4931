import type {
  Accepted,
  AnswerRun,
  ApprovalRequest,
  ArtifactList,
  ArtifactView,
  BudgetView,
  CallerView,
  CreateRun,
  ForkRun,
  InterruptRun,
  OpenQuestion,
  Problem,
  RunActivity,
  RunDetail,
  RunList,
  RunStatistics,
  RunStatisticsRow,
  RunView,
  SteerRun,
  UndoneRun,
  UndoRun,
} from "@switchyard/contracts";
import {
  runStatusSchema,
  schemaFor,
  sessionInputSchema,
  sessionMessageSchema,
  sessionResultSchema,
  usageViewSchema,
  wireErrorSchema,
  workspaceSourceSchema,
} from "@switchyard/contracts/schemas";
import { z } from "zod";

const MAX_TEXT = 1024 * 1024;
const MAX_DETAIL = 1000;
const MAX_URL = 2048;
const MAX_MESSAGES = 1000;
const MAX_ATTEMPTS = 100;
const MAX_NAME = 200;
const MAX_PRIORITY = 1000;

const webhookUrl = z.string().max(MAX_URL).optional().describe("Address that is notified when the run ends.");

/** Schema of `CreateRun`. */
export const createRunSchema: z.ZodType<CreateRun> = schemaFor<CreateRun>()(
  z.strictObject({
    input: sessionInputSchema.describe("Task of the run."),
    output_schema: z.record(z.string(), z.unknown()).optional().describe("JSON Schema of the run's output."),
    max_attempts: z
      .number()
      .int()
      .min(1)
      .max(MAX_ATTEMPTS)
      .optional()
      .describe("Maximum number of attempts of the run. Default: 1."),
    engine: z.string().min(1).max(MAX_NAME).optional().describe("Engine, if workers have several engines."),
    environment: z.string().min(1).max(MAX_NAME).optional().describe("Environment that the worker must have."),
    labels: z
      .record(z.string().min(1).max(MAX_NAME), z.string().max(MAX_NAME))
      .optional()
      .describe("Labels that the worker must have."),
    workspace: workspaceSourceSchema
      .optional()
      .describe("Where the worker gets the workspace from; by default, it contains the uploaded files."),
    priority: z
      .number()
      .int()
      .min(-MAX_PRIORITY)
      .max(MAX_PRIORITY)
      .optional()
      .describe("Priority among your waiting runs; a higher number starts first. Default: 0."),
    webhook_url: webhookUrl,
  }),
);

/** Schema of `SteerRun`. */
export const steerRunSchema: z.ZodType<SteerRun> = schemaFor<SteerRun>()(
  z.strictObject({
    text: z.string().min(1).max(MAX_TEXT).describe("Message to the engine."),
    when: z
      .enum(["now", "after"])
      .optional()
      .describe("When the engine receives the message: `now` (default), or `after` its current work."),
  }),
);

/** Schema of `AnswerRun`. */
export const answerRunSchema: z.ZodType<AnswerRun> = schemaFor<AnswerRun>()(
  z.strictObject({
    prompt_id: z.string().min(1).max(MAX_DETAIL).describe("Id of the question, from the event `user_prompted`."),
    text: z.string().max(MAX_TEXT).describe("The answer."),
  }),
);

/** Schema of `InterruptRun`. */
export const interruptRunSchema: z.ZodType<InterruptRun> = schemaFor<InterruptRun>()(
  z.strictObject({ detail: z.string().max(MAX_DETAIL).optional().describe("Reason, as free text.") }),
);

/** Schema of the body of `POST /v1/runs/{run_id}/resume`: an object without fields. */
export const resumeRunSchema: z.ZodType<object> = z.strictObject({});

/** Schema of `ForkRun`. */
export const forkRunSchema: z.ZodType<ForkRun> = schemaFor<ForkRun>()(
  z.strictObject({
    messages: z.array(sessionMessageSchema).max(MAX_MESSAGES).optional().describe("Next message of the conversation."),
    model: z.string().max(MAX_DETAIL).optional().describe("Another model, `provider/name`."),
    webhook_url: webhookUrl,
  }),
);

/** Schema of `UndoRun`. */
export const undoRunSchema: z.ZodType<UndoRun> = schemaFor<UndoRun>()(
  z.strictObject({
    dry_run: z.boolean().optional().describe("True to only check whether the changes can be reverted."),
  }),
);

/** Schema of `UndoneRun`. */
export const undoneRunSchema: z.ZodType<UndoneRun> = schemaFor<UndoneRun>()(
  z.object({
    run_id: z.string(),
    undone: z.boolean().describe("False for a dry run."),
    workspace_diff: z.string().describe("Changes that were or would be reverted, as a unified diff."),
  }),
);

const approvalRequestSchema: z.ZodType<ApprovalRequest> = schemaFor<ApprovalRequest>()(
  z.object({
    tool: z.string().describe("Name of the tool."),
    arguments: z
      .string()
      .optional()
      .describe("Arguments of the call as JSON; absent if longer than 20,000 characters."),
    command: z.string().optional().describe("Command that the call runs."),
    folder: z.string().optional().describe("Folder in which the command runs; absent for the workspace."),
    reason: z.string().optional().describe("Why a permission is needed."),
    agent_id: z.string().optional().describe("Id of the subagent that calls the tool."),
  }),
);

const openQuestionSchema: z.ZodType<OpenQuestion> = schemaFor<OpenQuestion>()(
  z.object({
    prompt_id: z.string().describe("Id of the question, for POST …/answer."),
    text: z.string().describe("Text of the question, or description of the tool call that needs a permission."),
    choices: z.array(z.string()).describe("Allowed answers; empty if any text is allowed."),
    asked_at: z.string().describe("Time the question was asked."),
    approval: approvalRequestSchema.optional().describe("The tool call, if the question is whether it may run."),
  }),
);

const runActivitySchema: z.ZodType<RunActivity> = schemaFor<RunActivity>()(
  z.object({
    turn: z.number().int().describe("Number of the current turn; 0 before the first."),
    doing: z.string().optional().describe("Last reported activity, in a few words."),
    last_event_at: z.string().optional().describe("Time of the last event."),
    question: openQuestionSchema.optional().describe("Oldest question that waits for an answer."),
  }),
);

const view = {
  run_id: z.string(),
  parent_run_id: z.string().optional().describe("Run from which this run was forked."),
  owner: z.string().optional().describe("Owner of the run."),
  engine: z.string(),
  model: z.string().optional(),
  title: z.string().describe("First words of the task."),
  status: runStatusSchema,
  attempt: z.number().int(),
  worker: z.string().optional().describe("Worker of the newest attempt, on a server with workers."),
  commit: z.string().optional().describe("Commit that was checked out as the workspace, for a git source."),
  created_at: z.string(),
  started_at: z.string().optional().describe("Start of the first attempt; absent while the run waits."),
  finished_at: z.string().optional(),
  resumable: z.boolean().describe("Whether POST …/resume can resume the run now."),
  usage: usageViewSchema.optional().describe("Tokens and cost of all attempts; so far if the run is in progress."),
  activity: runActivitySchema.optional().describe("Current activity, if this server executes the run."),
} as const;

/** Schema of `RunView`. */
export const runViewSchema: z.ZodType<RunView> = schemaFor<RunView>()(z.object(view));

const artifactViewSchema: z.ZodType<ArtifactView> = schemaFor<ArtifactView>()(
  z.object({
    name: z.string(),
    path: z.string().optional().describe("Path below …/artifacts/; absent if the artifact was not archived."),
    bytes: z.number().optional(),
    content_type: z.string().optional(),
    dropped: z.string().optional().describe("Reason why the artifact was not archived."),
  }),
);

/** Schema of `RunDetail`. */
export const runDetailSchema: z.ZodType<RunDetail> = schemaFor<RunDetail>()(
  z.object({
    ...view,
    result: sessionResultSchema.optional(),
    output: z.unknown().optional().describe("The document that the output schema describes."),
    error: wireErrorSchema.optional(),
    artifacts: z.array(artifactViewSchema).optional(),
    warnings: z.array(z.string()).optional(),
    workspace_diff: z.string().optional().describe("Changes to the workspace as a unified diff."),
    undone_at: z.string().optional().describe("Time at which the changes were reverted."),
  }),
);

/** Schema of `RunList`. */
export const runListSchema: z.ZodType<RunList> = schemaFor<RunList>()(
  z.object({
    runs: z.array(runViewSchema),
    total: z.number().int().describe("Number of runs on all pages."),
    next_cursor: z.string().optional().describe("Cursor of the next page; absent on the last page."),
  }),
);

const rowSchema: z.ZodType<RunStatisticsRow> = schemaFor<RunStatisticsRow>()(
  z.object({
    day: z.string().describe("Day in UTC, YYYY-MM-DD."),
    engine: z.string(),
    runs: z.number().int(),
    completed: z.number().int(),
    not_completed: z.number().int().describe("Number of runs that ended without completing."),
    total_tokens: z.number().describe("Sum of the known tokens."),
    cost_micros: z.number().describe("Sum of the known costs, in millionths of a US dollar."),
    priced: z.number().int().describe("Number of runs whose cost is known."),
  }),
);

/** Schema of `RunStatistics`. */
export const runStatisticsSchema: z.ZodType<RunStatistics> = schemaFor<RunStatistics>()(
  z.object({
    rows: z.array(rowSchema),
    engines: z.array(z.string()).describe("Engines of all of the caller's runs."),
    owners: z.array(z.string()).describe("Owners of all runs that the caller may see."),
  }),
);

const budgetSchema: z.ZodType<BudgetView> = schemaFor<BudgetView>()(
  z.object({
    tokens_used: z.number().describe("Tokens used today (UTC)."),
    tokens_reserved: z.number().describe("Tokens that model calls in progress have reserved."),
    tokens_per_day: z.number().optional().describe("Maximum number of tokens per day; absent: unlimited."),
    usd_used: z.number().describe("Cost of today (UTC), in US dollars."),
    usd_reserved: z.number().describe("Cost that model calls in progress have reserved, in US dollars."),
    usd_per_day: z.number().optional().describe("Maximum cost per day, in US dollars; absent: unlimited."),
    active_runs: z.number().int().describe("Number of active runs."),
    concurrent_runs: z.number().optional().describe("Maximum number of active runs; absent: unlimited."),
    resets_at: z.string().describe("Start of the next day, ISO 8601."),
  }),
);

/** Schema of `CallerView`. */
export const callerSchema: z.ZodType<CallerView> = schemaFor<CallerView>()(
  z.object({
    owner: z.string().describe("Owner whose runs the caller may access."),
    roles: z.array(z.string()).describe("Roles of the caller."),
    subject: z
      .string()
      .optional()
      .describe("Identity of the caller in logs; absent if the server does not distinguish callers."),
    expires_at: z.string().optional().describe("Expiry of the token, ISO 8601; absent if it does not expire."),
    waiting: z.number().int().describe("Number of waiting runs of the owner."),
    running: z.number().int().describe("Number of running runs of the owner."),
    started_today: z
      .number()
      .int()
      .describe("Number of the owner's runs that started today (UTC) and that the server knows."),
    waiting_left: z.number().int().describe("Number of further runs that can wait."),
    running_left: z
      .number()
      .int()
      .optional()
      .describe("Number of further runs that can run concurrently; absent: unlimited."),
    starts_left: z
      .number()
      .int()
      .optional()
      .describe("Number of further runs that can start today (UTC); absent: unlimited."),
    budget: budgetSchema.optional().describe("Budget of the owner; absent if the owner has none."),
  }),
);

/** Schema of `ArtifactList`. */
export const artifactListSchema: z.ZodType<ArtifactList> = schemaFor<ArtifactList>()(
  z.object({ artifacts: z.array(artifactViewSchema) }),
);

/** Schema of `Accepted`. */
export const acceptedSchema: z.ZodType<Accepted> = schemaFor<Accepted>()(
  z.object({ run_id: z.string(), accepted: z.literal(true) }),
);

/** Schema of the response of a health probe. */
export const probeSchema: z.ZodType<{ status: "ok" | "unavailable" }> = z.object({
  status: z.enum(["ok", "unavailable"]),
});

/** Schema of `Problem`. */
export const problemSchema: z.ZodType<Problem> = schemaFor<Problem>()(
  z.object({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    detail: z.string().describe("One sentence."),
    code: z.string().describe("Error code."),
    remedy: z.string().describe("Action that resolves the problem."),
    retryable: z.boolean(),
    retry_after: z.number().optional().describe("Recommended time before the next request, in seconds."),
    limit: z.number().optional().describe("The limit that was reached."),
  }),
);
