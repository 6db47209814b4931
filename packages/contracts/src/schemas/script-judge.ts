import { z } from "zod";
import type { ScriptJudgeAnswer, ScriptJudgeFile, ScriptJudgeInput, ScriptJudgeTurn } from "../session/script-judge.ts";
import type { SessionResult } from "../session/session-result.ts";
import { schemaFor } from "./schema-for.ts";
import { transcriptMessageSchema } from "./session-message.ts";
import { sessionResultSchema } from "./session-result.ts";

const turn: z.ZodType<ScriptJudgeTurn> = schemaFor<ScriptJudgeTurn>()(
  z.object({
    content: z.string().describe("Message of the user."),
    response: z.string().describe("Response of the engine."),
    status: z.enum(["completed", "failed", "skipped", "error"]).describe("Whether the turn was completed."),
  }),
);

const file: z.ZodType<ScriptJudgeFile> = schemaFor<ScriptJudgeFile>()(
  z.object({
    path: z.string().describe("Path relative to the workspace, with / as separator."),
    bytes: z.number().int().nonnegative().optional().describe("Size in bytes."),
  }),
);

const result: z.ZodType<Omit<SessionResult, "transcript">> = sessionResultSchema;

/** Schema of `ScriptJudgeInput`. */
export const scriptJudgeInputSchema: z.ZodType<ScriptJudgeInput> = schemaFor<ScriptJudgeInput>()(
  z.object({
    format: z.literal(1).describe("Version of the format."),
    case_id: z.string().describe("Id of the case."),
    variant: z.string().optional().describe("Name of the variant."),
    engine: z.string().describe("Name of the engine in the evaluation."),
    iteration: z.number().int().positive().describe("Iteration number, starting at 1."),
    task: z.string().describe("Task of the engine."),
    final_message: z.string().describe("Final message of the engine."),
    result: result.optional().describe("Result of the engine, without its transcript."),
    transcript: z.array(transcriptMessageSchema).describe("All messages of the session, in order."),
    turns: z.array(turn).describe("User turns, in order."),
    files: z.array(file).describe("Files of the workspace, without those of .git folders."),
    are_files_partial: z.boolean().describe("Whether the workspace has more files than listed."),
    workspace_diff: z.string().optional().describe("Changes to the workspace as a unified diff."),
  }),
);

/** Schema of `ScriptJudgeAnswer`: either `passed` or `error`. */
export const scriptJudgeAnswerSchema: z.ZodType<ScriptJudgeAnswer> = z.union([
  z.object({
    passed: z.boolean().describe("Whether the work is accepted."),
    reason: z.string().optional().describe("Why."),
    score: z.number().min(0).max(1).optional().describe("Score from 0 to 1."),
  }),
  z.object({ error: z.string().min(1).describe("Why the script cannot decide.") }),
]);
