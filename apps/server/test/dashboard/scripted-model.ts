import { type AgentEngineOptions, createAgentEngine, createAnthropicProfile } from "@switchyard/agent";
import type { Client, Engine, Message, ModelRequest, Part, StreamEvent, Usage } from "@switchyard/contracts";

/** Response of the scripted model. */
interface ScriptedAnswer {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }[];
  readonly usage?: Partial<Usage>;
  /** Awaited before the first part of the text is sent. */
  readonly from?: Promise<unknown>;
  /** Awaited before the last part of the text is sent. */
  readonly until?: Promise<unknown>;
}

/** Function that returns the next response, given the conversation so far. */
export type Script = (requests: {
  /** Last message of the user. */
  readonly last: string;
  /** Number of responses so far. */
  readonly answers: number;
  /** Last tool result. */
  readonly result: string;
}) => ScriptedAnswer;

function textIn({ parts }: Message): string {
  return parts
    .map((part) => (part.type === "text" ? part.text : part.type === "tool_result" ? part.content : ""))
    .join("");
}

let ids = 0;

async function* answer(request: ModelRequest, script: Script): AsyncGenerator<StreamEvent, void> {
  const messages = request.messages.filter(({ role }) => role !== "system");
  const answers = messages.filter(({ role }) => role === "assistant").length;
  const lastOf = (role: Message["role"]): string => {
    const message = messages.findLast((other) => other.role === role);
    return message === undefined ? "" : textIn(message);
  };
  const requests = { last: lastOf("user"), result: lastOf("tool"), answers };
  const { text = "", reasoning, calls = [], usage, from, until } = script(requests);
  ids += 1;
  const id = `answer-${ids}`;
  yield { type: "stream_start", id, model: "scripted" };
  await from;
  if (reasoning !== undefined) yield { type: "reasoning_delta", reasoningId: "0", text: reasoning };
  const tokens = text.split(/(?<= )/);
  for (const [index, token] of tokens.entries()) {
    if (index === tokens.length - 1) await until;
    yield { type: "text_delta", textId: "0", text: token };
  }
  const parts: Part[] = text === "" ? [] : [{ type: "text", text }];
  for (const [index, call] of calls.entries()) {
    parts.push({ type: "tool_call", id: `${id}-${index}`, name: call.name, arguments: JSON.stringify(call.arguments) });
  }
  const counted = { inputTokens: 1_200 + answers * 400, outputTokens: 90 + text.length, totalTokens: 0, ...usage };
  const total = {
    ...counted,
    totalTokens: counted.inputTokens + counted.outputTokens,
    costMicros: counted.outputTokens * 15,
  };
  yield {
    type: "finish",
    response: {
      ...{ id, model: "scripted", provider: "anthropic", usage: total, warnings: [] },
      message: { role: "assistant", parts },
      finishReason: { unified: calls.length > 0 ? "tool_calls" : "stop" },
    },
  };
}

/** Creates the built-in agent with a scripted model. `approval` selects the calls that need a permission. */
export function scriptedAgent(script: Script, { approval }: Pick<AgentEngineOptions, "approval"> = {}): Engine {
  const client: Client = {
    complete: () => Promise.reject(new Error("Answers are streamed.")),
    stream: (request) => answer(request, script),
    close: async () => undefined,
  };
  const profile = createAnthropicProfile({ model: "scripted" });
  return createAgentEngine({ client, profile, askUser: true, name: "agent", approval });
}
