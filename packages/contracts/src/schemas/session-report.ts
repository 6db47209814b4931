import { z } from "zod";
import type { WireError } from "../errors/engine-error.ts";
import type { Usage } from "../model/usage.ts";
import type { SessionReport } from "../session/session-report.ts";
import { runStatusSchema } from "./run-record.ts";
import { schemaFor } from "./schema-for.ts";
import { sessionResultSchema } from "./session-result.ts";

/** Schema of `WireError`. */
export const wireErrorSchema: z.ZodType<WireError> = schemaFor<WireError>()(
  z.object({
    code: z.string().describe("Error code."),
    class: z.string().describe("One of the thirteen classes."),
    message: z.string().describe("One sentence."),
    remedy: z.string().describe("Action that resolves the problem."),
    retryable: z.boolean().describe("Whether the same call may succeed when it is made again."),
  }),
);

const count = z.number().int().nonnegative();

/** Schema of `Usage`. */
export const usageSchema: z.ZodType<Usage> = schemaFor<Usage>()(
  z.object({
    inputTokens: count.describe("Tokens that went in."),
    outputTokens: count.describe("Tokens that came out."),
    totalTokens: count.describe("Sum of both."),
    reasoningTokens: count.optional(),
    cacheReadTokens: count.optional(),
    cacheWriteTokens: count.optional(),
    costMicros: z.number().nonnegative().optional().describe("Millionths of a US dollar."),
    isCostPartial: z
      .boolean()
      .optional()
      .describe("Whether calls of an unknown price are part of it: it cost at least that."),
    model: z.string().optional(),
    latencyMs: z.number().nonnegative().optional(),
    responseId: z.string().optional().describe("Id of the one answer this is the usage of."),
  }),
);

const archivedArtifact = z.object({
  name: z.string(),
  path: z.string().optional(),
  bytes: count.optional(),
  contentType: z.string().optional(),
  dropped: z.string().optional(),
});

const failedAttempt = z.object({
  attempt: count.describe("Its number, as its events carry it."),
  error: wireErrorSchema,
  delayMs: z.number().nonnegative().describe("Wait before the next one, in milliseconds."),
});

const modelFallback = z.object({
  from: z.string().describe("Model reference that failed, provider/name."),
  to: z.string().describe("Model reference that was called in its place."),
  error: wireErrorSchema.describe("Why the first one failed."),
});

const modelUse = z.object({
  model: z.string().describe("Model id, as the provider reports it."),
  calls: count.describe("Number of responses, discarded ones included."),
  usage: usageSchema.describe("Tokens and cost of these responses."),
});

const leftOutFile = z.object({
  path: z.string().describe("Relative to the workspace; a folder ends with a slash."),
  reason: z.enum(["ignored", "installed", "too_large", "special", "repository"]),
});

const referenceChange = z.object({
  folder: z.string().describe("Folder of the repository; empty for the top repository."),
  name: z.string().describe("A reference, HEAD, or index."),
  before: z.string().optional(),
  after: z.string().optional(),
});

/** Schema of `SessionReport`, the file `report.json`. */
export const sessionReportSchema: z.ZodType<SessionReport> = schemaFor<SessionReport>()(
  z.object({
    runId: z.string().describe("Id of the run."),
    engine: z.string().describe("Name of the engine."),
    model: z.string().optional().describe("Model reference, provider/name."),
    environment: z.string().optional().describe("Name of the place where its files and processes live."),
    status: runStatusSchema.describe("How it ended."),
    result: sessionResultSchema.optional().describe("The engine's result."),
    output: z.unknown().optional().describe("The document that was asked for; it fits the output schema."),
    error: wireErrorSchema.optional().describe("Why the run has no valid result, or why it was stopped."),
    resumeError: wireErrorSchema
      .optional()
      .describe("Why it cannot be gone on with, where its status would allow that."),
    failedAttempts: z.array(failedAttempt).optional().describe("Attempts that failed and were tried again."),
    modelFallbacks: z.array(modelFallback).optional().describe("Changes to a fallback model, in order."),
    models: z.array(modelUse).optional().describe("Models that reported usage, if there were several."),
    artifacts: z.array(archivedArtifact).describe("Archived and dropped artifacts."),
    warnings: z.array(z.string()).optional().describe("What was not as it should be although the run went on."),
    usage: usageSchema.describe("All model calls together."),
    timing: z.object({ startedAt: z.string(), finishedAt: z.string(), durationMs: z.number().nonnegative() }),
    workspaceDiff: z.string().optional().describe("Changes to the workspace as a unified diff."),
    workspaceLeftOut: z.array(leftOutFile).optional().describe("Changed files that are not in the diff."),
    workspaceReferences: z
      .array(referenceChange)
      .optional()
      .describe("Branches, tags, stashes and staged changes that the run changed."),
    workspacePatch: z
      .string()
      .optional()
      .describe("Absolute path of a file with the changes to a temporary workspace."),
    runFolder: z.string().optional().describe("Absolute path of the run folder."),
  }),
);
