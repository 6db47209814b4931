import type { Envelope, EventPayloads } from "@switchyard/contracts";
import { isRecord } from "../files/is-record.ts";
import type {
  TrajectoryMetrics,
  TrajectoryReference,
  TrajectoryResult,
  TrajectoryStep,
  TrajectoryToolCall,
} from "./trajectory.ts";

const MICROS = 1_000_000;

/** A step that is being built from events. Its number is assigned at the end. */
export type OpenStep = Omit<TrajectoryStep, "step_id">;

/** Event of one type. */
export type EventOf<T extends Envelope["type"]> = Extract<Envelope, { type: T }>;

/** Returns a step of the agent without content. */
export function emptyAgentStep(time: string | undefined): OpenStep {
  return { ...(time === undefined ? {} : { timestamp: time }), source: "agent", message: "" };
}

/** Adds the model's response to a step. */
export function addResponse(
  step: OpenStep,
  { content, reasoning, finish_reason }: EventPayloads["assistant_text_end"],
): void {
  step.message = content;
  if (reasoning !== undefined && reasoning !== "") step.reasoning_content = reasoning;
  if (finish_reason !== undefined) step.extra = { ...step.extra, finish_reason };
}

/** Adds the start of a tool call to a step. */
export function addCall(step: OpenStep, { id, name, arguments: given }: EventPayloads["tool_call_start"]): void {
  step.tool_calls = [...(step.tool_calls ?? []), toCall({ id, name, given })];
}

/**
 * Creates a tool call. Arguments are stored as an object if they are an object or the JSON text of an object. Other
 * arguments are stored as text in `extra`.
 */
export function toCall({ id, name, given }: { id: string; name: string; given: unknown }): TrajectoryToolCall {
  const parsed = typeof given === "string" ? parseText(given) : given;
  const call = { tool_call_id: id, function_name: name };
  if (isRecord(parsed)) return { ...call, arguments: parsed };
  if (given === undefined || given === "") return { ...call, arguments: {} };
  const text = typeof given === "string" ? given : JSON.stringify(given);
  return { ...call, arguments: {}, extra: { arguments_text: text } };
}

function parseText(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** Adds the end of a tool call to its step. */
export function addResult(step: OpenStep, end: EventPayloads["tool_call_end"], subagents: readonly string[]): void {
  const references = subagents.map((trajectory_id): TrajectoryReference => ({ trajectory_id }));
  const extra = {
    ...(end.is_error === true ? { is_error: true } : {}),
    ...(end.cancelled === true ? { cancelled: true } : {}),
    ...(end.duration_ms === undefined ? {} : { duration_ms: end.duration_ms }),
  };
  const result: TrajectoryResult = {
    source_call_id: end.tool_call_id,
    content: end.content,
    ...(references.length === 0 ? {} : { subagent_trajectory_ref: references }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
  step.observation = { results: [...(step.observation?.results ?? []), result] };
}

/** Adds the usage of a model call to a step. */
export function addUsage(step: OpenStep, { usage }: EventPayloads["usage_reported"], model: string | undefined): void {
  const { inputTokens, outputTokens, cacheReadTokens, costMicros } = usage;
  const before: TrajectoryMetrics = step.metrics ?? {};
  const cached = sum(before.cached_tokens, cacheReadTokens);
  const cost = sum(before.cost_usd, costMicros === undefined ? undefined : costMicros / MICROS);
  step.metrics = {
    prompt_tokens: (before.prompt_tokens ?? 0) + inputTokens,
    completion_tokens: (before.completion_tokens ?? 0) + outputTokens,
    ...(cached === undefined ? {} : { cached_tokens: cached }),
    ...(cost === undefined ? {} : { cost_usd: Math.round(cost * MICROS) / MICROS }),
  };
  step.llm_call_count = (step.llm_call_count ?? 0) + 1;
  if (usage.model !== undefined && usage.model !== modelName(model)) step.model_name = usage.model;
}

function sum(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined && right === undefined ? undefined : (left ?? 0) + (right ?? 0);
}

/** Returns the name of a model reference, without its provider. */
function modelName(model: string | undefined): string | undefined {
  return model?.slice(model.indexOf("/") + 1);
}
