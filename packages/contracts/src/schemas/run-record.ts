import { z } from "zod";
import type { RunRecord } from "../session/run-record.ts";
import type { RunStatus } from "../session/run-status.ts";
import type { UsageView } from "../session/usage-view.ts";
import { schemaFor } from "./schema-for.ts";
import { storedSourceSchema } from "./workspace-source.ts";

/** Schema of `RunStatus`. */
export const runStatusSchema: z.ZodType<RunStatus> = schemaFor<RunStatus>()(
  z.enum([
    "queued",
    "running",
    "awaiting_input",
    "completed",
    "failed",
    "error",
    "interrupted",
    "cancelled",
    "timed_out",
  ]),
);

/** Schema of `UsageView`. */
export const usageViewSchema: z.ZodType<UsageView> = schemaFor<UsageView>()(
  z.object({
    input_tokens: z.number().describe("Number of input tokens, including cache reads."),
    output_tokens: z.number().describe("Number of output tokens."),
    total_tokens: z.number().describe("Sum of input and output tokens."),
    cache_read_tokens: z.number().optional().describe("Number of input tokens read from the provider's cache."),
    cost_micros: z.number().optional().describe("Cost in millionths of a US dollar; absent if the price is unknown."),
  }),
);

/** Schema of `RunRecord`, the file `run.json`. */
export const runRecordSchema: z.ZodType<RunRecord> = schemaFor<RunRecord>()(
  z.object({
    format: z.literal(1).describe("Version of this format."),
    run_id: z.string().min(1).describe("Id of the run."),
    parent_run_id: z.string().optional().describe("Run that dispatched this one."),
    owner: z.string().optional().describe("Whose it is, where a host works for several."),
    engine: z.string().describe("Name of the engine."),
    model: z.string().optional().describe("Model reference, provider/name."),
    workspace: z.string().optional().describe("Absolute path of the workspace."),
    environment: z.string().optional().describe("Name of the place where its files and processes live."),
    newest_checkpoint: z
      .number()
      .int()
      .positive()
      .optional()
      .describe("Number of the newest checkpoint when the record was written; absent before the first."),
    process_mark: z.string().optional().describe("Mark of the processes that its environment starts."),
    settings: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("Settings of the host that replace those of the request since the run was resumed."),
    placement: z
      .object({
        environment: z.string().optional().describe("Environment that the worker must have."),
        labels: z.record(z.string(), z.string()).optional().describe("Labels that the worker must have."),
        priority: z.number().int().optional().describe("Higher numbers of the same owner start first; 0 by default."),
        workspace: storedSourceSchema.optional().describe("Where the worker gets the workspace from."),
      })
      .optional()
      .describe("How a cluster assigns the run to a worker."),
    worker: z.string().optional().describe("Worker of the newest attempt, which has the run's files."),
    session_id: z.string().optional().describe("Session of the engine: of the result, or of the input without one."),
    commit: z.string().optional().describe("Commit that was checked out as the workspace."),
    files_epoch: z
      .number()
      .int()
      .positive()
      .optional()
      .describe("Epoch of the writer whose artifacts and patch on the broker belong to the newest report."),
    undone_at: z.string().optional().describe("When a worker reverted the changes of the run, ISO 8601."),
    lost_attempts: z
      .number()
      .int()
      .nonnegative()
      .optional()
      .describe("Number of attempts that were lost because their worker died."),
    title: z.string().describe("First words of the task."),
    status: runStatusSchema.describe("Where it stands."),
    attempt: z.number().int().positive().describe("1-based number of the attempt."),
    created_at: z.string().describe("When it was accepted, ISO 8601."),
    queued_at: z.string().optional().describe("When it was last queued again, ISO 8601."),
    started_at: z.string().optional().describe("When its first attempt began, ISO 8601."),
    finished_at: z.string().optional().describe("When it ended, ISO 8601."),
    usage: usageViewSchema.optional().describe("Token usage and cost of all attempts."),
    created_by: z.string().describe("Release that wrote the record."),
  }),
);
