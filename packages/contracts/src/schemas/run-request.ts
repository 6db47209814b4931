import { z } from "zod";
import type { RunRequest } from "../store/run-request.ts";
import { schemaFor } from "./schema-for.ts";
import { sessionInputSchema } from "./session-input.ts";

/** Schema of `RunRequest`, the file `request.json`. */
export const runRequestSchema: z.ZodType<RunRequest> = schemaFor<RunRequest>()(
  z.object({
    format: z.literal(1).describe("Version of this format."),
    input: sessionInputSchema.describe("The input as the host handed it in."),
    settings: z.record(z.string(), z.unknown()).optional().describe("What else the host needs to go on."),
  }),
);
