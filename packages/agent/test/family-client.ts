import type { Client, ModelRequest, ModelResponse, Part, StreamEvent } from "@switchyard/contracts";
import { textOf } from "@switchyard/contracts";

/** How a model answers that several agents speak to. */
export interface FamilyClientOptions {
  /** The parts of each answer, by the first input of the conversation; a function gets the request. */
  readonly scripts: Readonly<
    Record<string, readonly (readonly Part[] | ((request: ModelRequest) => readonly Part[]))[]>
  >;
  /** Called before each answer, with the first input of its conversation; awaited. */
  readonly onCall?: ((input: string, request: ModelRequest) => Promise<void> | void) | undefined;
}

/** A client that records its requests. */
export interface FamilyClient extends Client {
  readonly requests: { readonly input: string; readonly request: ModelRequest }[];
}

/** The first thing the user said in a conversation. */
function firstInputOf({ messages }: ModelRequest): string {
  const first = messages.find(({ role }) => role === "user");
  return first === undefined ? "" : textOf(first);
}

/**
 * A model that tells agents apart by what they were first asked, and answers each by how many answers its conversation
 * has: so it does not matter who speaks first, or in which process. Ids of answers are only unique in a conversation.
 */
export function familyClient({ scripts, onCall }: FamilyClientOptions): FamilyClient {
  const requests: FamilyClient["requests"] = [];

  async function complete(request: ModelRequest): Promise<ModelResponse> {
    const input = firstInputOf(request);
    requests.push({ input, request: { ...request, messages: structuredClone(request.messages) } });
    await onCall?.(input, request);
    const number = request.messages.filter(({ role }) => role === "assistant").length;
    const step = scripts[input]?.[number];
    if (step === undefined)
      throw new Error(`The model has no answer number ${number + 1} to ${JSON.stringify(input)}.`);
    const parts = typeof step === "function" ? step(request) : step;
    const [inputTokens, outputTokens] = [10 * request.messages.length, number + 1];
    return {
      id: `answer-${number + 1}`,
      model: request.model,
      provider: "scripted",
      message: { role: "assistant", parts },
      finishReason: { unified: parts.some(({ type }) => type === "tool_call") ? "tool_calls" : "stop" },
      usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
      warnings: [],
    };
  }

  async function* stream(request: ModelRequest): AsyncGenerator<StreamEvent> {
    const response = await complete(request);
    const said = textOf(response.message);
    if (said !== "") yield { type: "text_delta", textId: "1", text: said };
    yield { type: "finish", response };
  }

  return { requests, complete, stream, close: async () => {} };
}

let calls = 0;

/** An answer that asks for tools, in this order. */
export function call(...asked: readonly (readonly [name: string, args: Readonly<Record<string, unknown>>])[]): Part[] {
  return asked.map(([name, args]) => {
    calls += 1;
    return { type: "tool_call", id: `call-${calls}`, name, arguments: JSON.stringify(args) };
  });
}

/** An answer that is a text. */
export function say(text: string): Part[] {
  return [{ type: "text", text }];
}
