import type { AnswerStep } from "../model/script-step.ts";
import type { HostileFault, PlannedResponse } from "./hostile-fault.ts";
import type { ModelApi } from "./model-api.ts";
import { type ContentContext, type ResponseCall, type ResponseContent, toResponseContent } from "./response-content.ts";
import { seededRandom } from "./seeded-random.ts";

/**
 * A response to which a planned fault was applied. `isTurn` is false if the fault replaced the content of the script
 * step, so that the response does not complete a turn.
 */
export interface ComposedResponse {
  readonly content: ResponseContent;
  readonly isTurn: boolean;
}

/** Returns the first half of a list, at least one element. */
function half<T>(list: readonly T[]): readonly T[] {
  return list.slice(0, Math.max(1, Math.floor(list.length / 2)));
}

/** Truncates a response in its first tool call, or in its text. */
function cutOff(content: ResponseContent, api: ModelApi): ResponseContent {
  const [call] = content.calls;
  const broken: ResponseCall[] = call === undefined ? [] : [{ ...call, pieces: ['{"cut": "o'] }];
  // Only OpenAI's APIs transfer a call's arguments as text that can be truncated.
  // For other APIs, the response's text is truncated.
  const isCut = broken.length > 0 && (api === "openai-chat" || api === "openai");
  return { ...content, end: "length", text: isCut ? content.text : half(content.text), calls: isCut ? broken : [] };
}

/** Applies a fault to the content of a response. `undefined` for faults that do not change it. */
function replacementFor(content: ResponseContent, fault: HostileFault, api: ModelApi): ResponseContent | undefined {
  switch (fault.kind) {
    case "empty":
      return { ...content, end: "stop", reasoning: [], text: [], calls: [] };
    case "calls_absent":
      // The Responses API and Gemini have no finish reason for tool calls.
      return api === "openai" || api === "gemini"
        ? { ...content, end: "stop", reasoning: [], text: [], calls: [] }
        : { ...content, end: "calls", calls: [] };
    case "failed":
      return api === "gemini" || api === "openai-chat"
        ? { ...content, end: "error", reasoning: [], text: half(content.text), calls: [] }
        : { ...content, end: "stop", reasoning: [], text: [], calls: [] };
    case "cut_off":
      return cutOff(content, api);
    case "filtered":
      return { ...content, end: "filter", text: half(content.text), calls: [] };
    default:
      return undefined;
  }
}

function withOddCalls(content: ResponseContent, { oddities }: PlannedResponse): ResponseContent {
  const [first] = content.calls;
  if (first === undefined) return content;
  const isRepeated = oddities.includes("repeated_ids");
  const calls = content.calls.map((call) => ({
    ...call,
    ...(isRepeated ? { id: first.id } : {}),
    hasIndex: !oddities.includes("no_index"),
  }));
  return { ...content, calls, end: oddities.includes("wrong_end") ? "stop" : content.end };
}

/** Adds the id of the response to its text, so that parts of the text can be found in later requests. */
function withMark(content: ResponseContent): ResponseContent {
  const mark = `[${content.id}] `;
  const reasoning = content.reasoning.length === 0 ? [] : [mark, ...content.reasoning];
  return { ...content, reasoning, text: [mark, ...content.text] };
}

/** Returns the planned response to a request. */
export function composeResponse(
  step: AnswerStep,
  planned: PlannedResponse,
  { api, ...context }: Omit<ContentContext, "random"> & { readonly api: ModelApi },
): ComposedResponse {
  const content = withMark(toResponseContent(step.parts, { ...context, random: seededRandom(planned.seed) }));
  const replaced = planned.fault === undefined ? undefined : replacementFor(content, planned.fault, api);
  if (replaced !== undefined) return { content: replaced, isTurn: false };
  const odd = withOddCalls(content, planned);
  return { content: planned.fault?.kind === "unfinished" ? { ...odd, end: undefined } : odd, isTurn: true };
}
