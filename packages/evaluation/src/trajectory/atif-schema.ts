/** Versions of ATIF that `parseTrajectory` accepts, oldest first. */
export const ATIF_VERSIONS: readonly string[] = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((minor) => `ATIF-v1.${minor}`);

const TEXT = { type: "string" } as const;
const COUNT = { type: "integer", minimum: 0 } as const;
const AMOUNT = { type: "number", minimum: 0 } as const;
const EXTRA = { type: "object" } as const;
const NUMBERS = { type: "array", items: { type: "number" } } as const;
const IDS = { type: "array", items: { type: "integer" } } as const;

/** Returns the schema of an object without further properties. */
function object(required: readonly string[], properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { type: "object", required, properties, additionalProperties: false };
}

const listOf = (name: string, minItems = 0): Record<string, unknown> => ({
  type: "array",
  items: { $ref: `#/$defs/${name}` },
  minItems,
});

/**
 * JSON Schema (draft 2020-12) of ATIF, written from the public description of the format (RFC 0001 of the project
 * Harbor). Rules that a schema cannot express, such as the numbering of steps, are checked by `parseTrajectory`.
 */
export const ATIF_SCHEMA: Readonly<Record<string, unknown>> = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Agent Trajectory Interchange Format",
  $ref: "#/$defs/trajectory",
  $defs: {
    trajectory: object(["schema_version", "agent", "steps"], {
      schema_version: { enum: ATIF_VERSIONS },
      session_id: TEXT,
      trajectory_id: TEXT,
      agent: { $ref: "#/$defs/agent" },
      steps: listOf("step", 1),
      notes: TEXT,
      final_metrics: { $ref: "#/$defs/totals" },
      continued_trajectory_ref: TEXT,
      extra: EXTRA,
      subagent_trajectories: listOf("trajectory"),
    }),
    agent: object(["name", "version"], {
      ...{ name: TEXT, version: TEXT, model_name: TEXT, extra: EXTRA },
      tool_definitions: { type: "array", items: { type: "object" } },
    }),
    step: object(["step_id", "source", "message"], {
      step_id: { type: "integer", minimum: 1 },
      timestamp: TEXT,
      source: { enum: ["system", "user", "agent"] },
      model_name: TEXT,
      reasoning_effort: { type: ["string", "number"] },
      message: { $ref: "#/$defs/content" },
      reasoning_content: TEXT,
      tool_calls: listOf("call"),
      observation: object(["results"], { results: listOf("result") }),
      metrics: { $ref: "#/$defs/metrics" },
      is_copied_context: { type: "boolean" },
      llm_call_count: COUNT,
      extra: EXTRA,
    }),
    content: { type: ["string", "array"], items: { $ref: "#/$defs/part" } },
    part: object(["type"], {
      type: { enum: ["text", "image", "audio"] },
      text: TEXT,
      source: object(["media_type", "path"], { media_type: TEXT, path: TEXT, duration_sec: AMOUNT }),
    }),
    call: object(["tool_call_id", "function_name", "arguments"], {
      ...{ tool_call_id: TEXT, function_name: TEXT, arguments: EXTRA, extra: EXTRA },
    }),
    result: object([], {
      source_call_id: TEXT,
      content: { $ref: "#/$defs/content" },
      subagent_trajectory_ref: listOf("reference"),
      extra: EXTRA,
    }),
    reference: object([], { trajectory_id: TEXT, trajectory_path: TEXT, session_id: TEXT, extra: EXTRA }),
    metrics: object([], {
      ...{ prompt_tokens: COUNT, completion_tokens: COUNT, cached_tokens: COUNT, cost_usd: AMOUNT },
      ...{ prompt_token_ids: IDS, completion_token_ids: IDS, logprobs: NUMBERS, extra: EXTRA },
    }),
    totals: object([], {
      ...{ total_prompt_tokens: COUNT, total_completion_tokens: COUNT, total_cached_tokens: COUNT },
      ...{ total_cost_usd: AMOUNT, total_steps: COUNT, extra: EXTRA },
    }),
  },
};
