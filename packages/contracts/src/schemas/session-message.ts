import { z } from "zod";
import type { SessionImage, SessionMessage, SessionRole, TranscriptMessage } from "../session/session-message.ts";
import { schemaFor } from "./schema-for.ts";

const role: z.ZodType<SessionRole> = z.enum(["system", "user", "assistant", "tool"]);

const sessionImage: z.ZodType<SessionImage> = z.object({
  media_type: z.enum(["image/png", "image/jpeg", "image/gif", "image/webp"]).describe("MIME type."),
  data: z
    .string()
    .regex(/^[A-Za-z0-9+/]+={0,2}$/)
    .describe("Its bytes, base64."),
});
const images = z.array(sessionImage).optional().describe("Pictures, of a user's message.");

/** Schema of `SessionMessage`. See custom-engine: multi-turn conversation input contract. */
export const sessionMessageSchema: z.ZodType<SessionMessage> = schemaFor<SessionMessage>()(
  z.object({
    role: role.describe("Who speaks."),
    content: z.string().describe("Plain text."),
    images,
  }),
);

const toolCall = z.object({ id: z.string(), name: z.string(), arguments: z.string() });

const toolResult = z.object({
  call_id: z.string(),
  status: z.enum(["ok", "error"]),
  content: z.string(),
  duration_ms: z.number().nonnegative().optional(),
});

/** Schema of `TranscriptMessage`. See custom-engine: transcript contract. */
export const transcriptMessageSchema: z.ZodType<TranscriptMessage> = schemaFor<TranscriptMessage>()(
  z.object({
    role: role.describe("Who speaks."),
    content: z.string().describe("Plain text."),
    images,
    turn: z.number().int().positive().optional().describe("1-based number of the model's turn."),
    tool_calls: z.array(toolCall).optional().describe("The calls an assistant message asked for."),
    tool_result: toolResult.optional().describe("The answer a tool message carries."),
    timestamp: z.string().optional().describe("Time of the message, ISO 8601."),
  }),
);
