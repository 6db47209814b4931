import type { AnswerStep } from "../model/script-step.ts";
import type { HostileFault, PlannedResponse } from "./hostile-fault.ts";
import type { ModelApi } from "./model-api.ts";
import { type ContentContext, type ResponseCall, type ResponseContent, toResponseContent } from "./response-content.ts";
import { seededRandom } from "./seeded-random.ts";

/**
 * A response to which a planned fault was applied. Records whether it still has the complete content of the script
 * step.
 */
export interface ComposedResponse {
  readonly said: ResponseContent;
  readonly isTurn: boolean;
}

/** Returns the first half of a list, at least one element. */
function half<T>(list: readonly T[]): readonly T[] {
  return list.slice(0, Math.max(1, Math.floor(list.length / 2)));
}

/** Truncates a response in its first tool call, or in its text. */
function cutOff(said: ResponseContent, api: ModelApi): ResponseContent {
  const [call] = said.calls;
  const broken: ResponseCall[] = call === undefined ? [] : [{ ...call, pieces: ['{"cut": "o'] }];
  // Only OpenAI's APIs transfer a call's arguments as text that can be truncated.
  // For other APIs, the response's text is truncated.
  const isCut = broken.length > 0 && (api === "openai-chat" || api === "openai");
  return { ...said, end: "length", text: isCut ? said.text : half(said.text), calls: isCut ? broken : [] };
}

/** Applies a fault to the content of a response. `undefined` for faults that do not change it. */
function changed(said: ResponseContent, fault: HostileFault, api: ModelApi): ResponseContent | undefined {
  switch (fault.kind) {
    case "empty":
      return { ...said, end: "stop", reasoning: [], text: [], calls: [] };
    case "calls_absent":
      // The Responses API and Gemini have no finish reason for tool calls.
      return api === "openai" || api === "gemini"
        ? { ...said, end: "stop", reasoning: [], text: [], calls: [] }
        : { ...said, end: "calls", calls: [] };
    case "failed":
      return api === "gemini" || api === "openai-chat"
        ? { ...said, end: "error", reasoning: [], text: half(said.text), calls: [] }
        : { ...said, end: "stop", reasoning: [], text: [], calls: [] };
    case "cut_off":
      return cutOff(said, api);
    case "filtered":
      return { ...said, end: "filter", text: half(said.text), calls: [] };
    default:
      return undefined;
  }
}

function withOddCalls(said: ResponseContent, { oddities }: PlannedResponse): ResponseContent {
  const [first] = said.calls;
  if (first === undefined) return said;
  const isRepeated = oddities.includes("repeated_ids");
  const calls = said.calls.map((call) => ({
    ...call,
    ...(isRepeated ? { id: first.id } : {}),
    hasIndex: !oddities.includes("no_index"),
  }));
  return { ...said, calls, end: oddities.includes("wrong_end") ? "stop" : said.end };
}

/** Adds the id of the response to its text, so that parts of the text can be found in later requests. */
function marked(said: ResponseContent): ResponseContent {
  const mark = `[${said.id}] `;
  const reasoning = said.reasoning.length === 0 ? [] : [mark, ...said.reasoning];
  return { ...said, reasoning, text: [mark, ...said.text] };
}

/** Returns the planned response to a request. */
export function composeResponse(
  step: AnswerStep,
  planned: PlannedResponse,
  { api, ...context }: Omit<ContentContext, "random"> & { readonly api: ModelApi },
): ComposedResponse {
  const said = marked(toResponseContent(step.parts, { ...context, random: seededRandom(planned.seed) }));
  const useless = planned.fault === undefined ? undefined : changed(said, planned.fault, api);
  if (useless !== undefined) return { said: useless, isTurn: false };
  const odd = withOddCalls(said, planned);
  return { said: planned.fault?.kind === "unfinished" ? { ...odd, end: undefined } : odd, isTurn: true };
}
