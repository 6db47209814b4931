import { schemaFor } from "@switchyard/contracts/schemas";
import { z } from "zod";
import type { CustomBlock, EngineBlock, HttpBlock, LocalBlock, ModelBlock } from "./engine-block.ts";

const text = z.string();
const texts = z.record(z.string(), z.string());

const model: z.ZodType<ModelBlock> = schemaFor<ModelBlock>()(
  z
    .strictObject({
      provider: text.optional().describe("Name of the provider."),
      name: text.optional().describe("Name of the model at the provider."),
      base_url: text.optional().describe("Address of the provider; built-in engines use it."),
      params: texts.optional().describe("Parameters of the model; built-in engines use them."),
    })
    .describe("The model, for templates: ${model}, ${model_provider}, ${model_name}."),
);

const local: z.ZodType<LocalBlock> = schemaFor<LocalBlock>()(
  z
    .strictObject({
      command: text.optional().describe("Program to run in the environment of the session; required for local."),
      args: z.array(text).optional().describe("Its arguments; each arrives as one, whatever it contains."),
      cwd: text.optional().describe("Folder to run in, inside the workspace; the workspace by default."),
      input_file: text.optional().describe("Where the SessionInput is written; inputs/messages.json by default."),
      output_file: text.optional().describe("Where the SessionResult is read from; standard output by default."),
    })
    .describe("How a command is run."),
);

const requestFile = z.strictObject({
  path: text.optional().describe("A file, or a glob pattern, relative to the workspace; required."),
  required: z.boolean().optional().describe("Whether it is an error that nothing matches; true by default."),
});

const http: z.ZodType<HttpBlock> = schemaFor<HttpBlock>()(
  z
    .strictObject({
      url: text.optional().describe("Address of the service; required for http."),
      method: text.optional().describe("POST."),
      headers: texts.optional().describe("Headers of the request; credentials go here."),
      files: z.array(requestFile).optional().describe("Files of the workspace that are sent along."),
      request_body: z.unknown().optional().describe("Body of the request; ${session_input} by default."),
    })
    .describe("How a service is called."),
);

const custom: z.ZodType<CustomBlock> = schemaFor<CustomBlock>()(
  z
    .strictObject({
      transport: text.optional().describe("local (a command) or http (a service)."),
      conversation_mode: text
        .optional()
        .describe("batch (one call, the default) or stateful (one call for each user message)."),
      response_format: text.optional().describe("session_result (the default) or text."),
      timeout_seconds: z.number().int().optional().describe("Time for a call; the case's limit by default."),
      effects: text
        .optional()
        .describe("unsafe (the default), idempotent or readonly: whether a call that was cut off may be made again."),
      env: texts.optional().describe("Variables of the command; secrets go here, such as ${api_key}."),
      kwargs: texts.optional().describe("Parameters of the engine: ${kwargs.<key>}."),
      local: local.optional(),
      http: http.optional(),
    })
    .describe("An engine of one's own."),
);

/** Schema of the `engine` block of a configuration document. See custom-engine: full configuration schema. */
export const engineBlockSchema: z.ZodType<EngineBlock> = schemaFor<EngineBlock>()(
  z.strictObject({
    name: text.min(1).describe("Name of the engine; a built-in one, or one of your own with a custom block."),
    model: model.optional(),
    custom: custom.optional(),
  }),
);

const CHOICES = {
  transport: ["local", "http"],
  conversation_mode: ["batch", "stateful"],
  response_format: ["session_result", "text"],
  effects: ["unsafe", "idempotent", "readonly"],
} as const;

/** Allowed values of settings. A reference to a variable is allowed in place of a value. */
export const SETTING_CHOICES: Readonly<Record<keyof typeof CHOICES, readonly string[]>> = CHOICES;
