import type { Envelope, EnvelopeOf, EventPayloads, EventType, Usage } from "@switchyard/contracts";
import type { TrajectoryContent, TrajectoryResult, TrajectoryStep } from "./trajectory.ts";

const MICROS = 1_000_000;

/** Event of an imported step. Only its type, time and payload matter. */
export type StepEvent = Envelope;

/** Returns the events that a run with this step would have emitted. At least one. */
export function stepEvents(step: TrajectoryStep, time: string): StepEvent[] {
  const content = textOf(step.message);
  switch (step.source) {
    case "system":
      return [eventOf("notification", { message: content, kind: "system_message" }, time)];
    case "user":
      return [eventOf(step.extra?.["kind"] === "steering" ? "steering_injected" : "user_input", { content }, time)];
    default:
      return agentEvents(step, time);
  }
}

function agentEvents(step: TrajectoryStep, time: string): StepEvent[] {
  const { step_id, message, reasoning_content: reasoning, tool_calls: calls = [], observation } = step;
  const name = { step: `agent.iter${step_id}` };
  const finishReason = step.extra?.["finish_reason"];
  const response = {
    content: textOf(message),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(typeof finishReason === "string" ? { finish_reason: finishReason } : {}),
  };
  const usage = usageOf(step);
  return [
    eventOf("step_start", name, time),
    eventOf("assistant_text_end", response, time),
    ...(usage === undefined ? [] : [eventOf("usage_reported", { usage }, time)]),
    ...calls.map(({ tool_call_id: id, function_name, arguments: given, extra }) => {
      const args = extra?.["arguments_text"] ?? given;
      return eventOf("tool_call_start", { type: "tool_call", id, name: function_name, arguments: args }, time);
    }),
    ...(observation?.results ?? []).flatMap((result) => resultEvents(result, time)),
    eventOf("step_complete", name, time),
  ];
}

function resultEvents({ source_call_id: id, content = "", extra }: TrajectoryResult, time: string): StepEvent[] {
  if (id === undefined) return [];
  const duration = extra?.["duration_ms"];
  const end: EventPayloads["tool_call_end"] = {
    ...{ type: "tool_result", tool_call_id: id, content: textOf(content) },
    ...(extra?.["is_error"] === true ? { is_error: true } : {}),
    ...(extra?.["cancelled"] === true ? { cancelled: true } : {}),
    ...(typeof duration === "number" ? { duration_ms: duration } : {}),
  };
  return [eventOf("tool_call_end", end, time)];
}

function usageOf({ metrics, model_name: model }: TrajectoryStep): Usage | undefined {
  if (metrics === undefined) return undefined;
  const { prompt_tokens: inputTokens = 0, completion_tokens: outputTokens = 0, cached_tokens, cost_usd } = metrics;
  return {
    ...{ inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
    ...(cached_tokens === undefined ? {} : { cacheReadTokens: cached_tokens }),
    ...(cost_usd === undefined ? {} : { costMicros: Math.round(cost_usd * MICROS) }),
    ...(model === undefined ? {} : { model }),
  };
}

/** Returns the text of a message. Images and recordings are left out. */
export function textOf(content: TrajectoryContent): string {
  if (typeof content === "string") return content;
  return content.flatMap(({ text }) => text ?? []).join("\n");
}

function eventOf<T extends EventType>(type: T, payload: EventPayloads[T], time: string): EnvelopeOf<T> {
  return { id: "", type, subject: "", time, attempt: 1, headers: {}, payload };
}
