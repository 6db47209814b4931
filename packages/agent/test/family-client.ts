import { type Client, type ModelRequest, type Part, textOf } from "@switchyard/contracts";
import { conversationClient } from "./conversation-client.ts";

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
 * has: so it does not matter who speaks first, or in which process.
 */
export function familyClient({ scripts, onCall }: FamilyClientOptions): FamilyClient {
  const requests: FamilyClient["requests"] = [];
  const client = conversationClient({
    answer: (request, number) => {
      const step = scripts[firstInputOf(request)]?.[number];
      return typeof step === "function" ? step(request) : step;
    },
    onCall: async (moment, request) => {
      if (moment === "answered") return;
      const input = firstInputOf(request);
      requests.push({ input, request: { ...request, messages: structuredClone(request.messages) } });
      await onCall?.(input, request);
    },
  });
  return { ...client, requests };
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
