import { z } from "zod";
import type { SessionInput } from "../session/session-input.ts";
import { schemaFor } from "./schema-for.ts";
import { sessionMessageSchema } from "./session-message.ts";

/** Schema of `SessionInput`; unknown fields are ignored. See custom-engine: SessionInput format. */
export const sessionInputSchema: z.ZodType<SessionInput> = schemaFor<SessionInput>()(
  z.object({
    messages: z.array(sessionMessageSchema).describe("The whole conversation so far."),
    case_id: z.string().optional().describe("Id of the case this session belongs to."),
    variant: z.string().optional().describe("Variant of the case."),
    workspace: z.string().optional().describe("Absolute path of the workspace."),
    model: z.string().optional().describe("Model reference, provider/name."),
    kwargs: z.record(z.string(), z.string()).optional().describe("Parameters of the engine; every value is a string."),
    max_turns: z.number().int().nonnegative().optional().describe("Most turns of the model; 0 means no limit."),
    timeout_seconds: z.number().nonnegative().optional().describe("Wall-clock budget in seconds; 0 means no limit."),
    retry_for_seconds: z
      .number()
      .nonnegative()
      .optional()
      .describe("Longest total wait of the retries of one model turn in seconds; 0 switches them off."),
    session_id: z.string().optional().describe("Id with which a stateful engine continues the conversation."),
  }),
);
