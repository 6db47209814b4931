import { type Client, type ModelRequest, type Part, textOf } from "@switchyard/contracts";
import { conversationClient } from "./conversation-client.ts";

/** Options for `familyClient`, a scripted model for several agents. */
export interface FamilyClientOptions {
  /** Parts of each response, by the first user input of the conversation. A function is called with the request. */
  readonly scripts: Readonly<
    Record<string, readonly (readonly Part[] | ((request: ModelRequest) => readonly Part[]))[]>
  >;
  /** Called and awaited before each response, with the first user input of the conversation. */
  readonly onCall?: ((input: string, request: ModelRequest) => Promise<void> | void) | undefined;
}

/** A client that records its requests. */
export interface FamilyClient extends Client {
  readonly requests: { readonly input: string; readonly request: ModelRequest }[];
}

/** Returns the first user input of a conversation. */
function firstInputOf({ messages }: ModelRequest): string {
  const first = messages.find(({ role }) => role === "user");
  return first === undefined ? "" : textOf(first);
}

/**
 * Creates a scripted model for several agents. Selects the script by the first user input of the conversation, and the
 * response by the number of responses in the conversation. The order of the agents' requests and their processes
 * therefore do not matter.
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

/** Returns a response that requests the given tool calls in order. */
export function call(
  ...requested: readonly (readonly [name: string, args: Readonly<Record<string, unknown>>])[]
): Part[] {
  return requested.map(([name, args]) => {
    calls += 1;
    return { type: "tool_call", id: `call-${calls}`, name, arguments: JSON.stringify(args) };
  });
}

/** Returns a response that contains a text. */
export function textParts(text: string): Part[] {
  return [{ type: "text", text }];
}
