import { z } from "zod";
import type { SessionArtifactFile, SessionArtifacts, SessionResult } from "../session/session-result.ts";
import { schemaFor } from "./schema-for.ts";
import { transcriptMessageSchema } from "./session-message.ts";

/** Schema of `SessionArtifactFile`. See custom-engine: artifacts contract. */
export const sessionArtifactFileSchema: z.ZodType<SessionArtifactFile> = schemaFor<SessionArtifactFile>()(
  z.object({
    name: z.string().min(1).describe("File name in the archive."),
    path: z.string().optional().describe("Path inside the workspace."),
    url: z.string().optional().describe("Address it can be downloaded from."),
    content: z.string().optional().describe("Inline text."),
    content_base64: z.string().optional().describe("Inline bytes, base64."),
    content_type: z.string().optional().describe("MIME type."),
  }),
);

const artifacts: z.ZodType<SessionArtifacts> = schemaFor<SessionArtifacts>()(
  z.object({
    workspace_diff: z.string().optional().describe("Changes to the workspace as a unified diff."),
    generated_files: z.array(z.string()).optional().describe("Paths of files that were made, inside the workspace."),
    files: z.array(sessionArtifactFileSchema).optional().describe("Structured artifacts."),
    logs: z.string().optional().describe("Log text."),
  }),
);

/** Schema of `SessionResult`; unknown fields are ignored. See custom-engine: result contract. */
export const sessionResultSchema: z.ZodType<SessionResult> = schemaFor<SessionResult>()(
  z.object({
    exit_code: z.number().int().describe("0 on success."),
    final_message: z.string().describe("The engine's last words; may be empty."),
    engine: z.string().optional().describe("Who answered."),
    model: z.string().optional().describe("Model reference, provider/name."),
    duration_ms: z.number().nonnegative().optional().describe("Elapsed time in milliseconds."),
    turns: z.number().int().nonnegative().optional().describe("Turns of the model."),
    input_tokens: z.number().int().nonnegative().optional().describe("Tokens that went in."),
    output_tokens: z.number().int().nonnegative().optional().describe("Tokens that came out."),
    cost_usd: z.number().nonnegative().optional().describe("Cost in US dollars."),
    finish_reason: z
      .enum(["stop", "length", "tool_calls", "content_filter", "error", "other"])
      .optional()
      .describe("Why the last response of the model ended; of the built-in agent."),
    stderr: z.string().optional().describe("Diagnostics."),
    transcript: z.array(transcriptMessageSchema).optional().describe("The conversation, in order."),
    artifacts: artifacts.optional().describe("What was made."),
    session_id: z.string().optional().describe("Id with which a stateful engine continues the conversation."),
  }),
);
