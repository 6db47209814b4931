import { type ChatCompletionRequest, LLMock } from "@copilotkit/aimock";
import type { Client } from "@switchyard/contracts";
import { clientFromEnv } from "@switchyard/llm";
import type { Family } from "../histories/wire-checks.ts";
import { startRecordingRelay, type WireRequest } from "./recording-relay.ts";
import type { Call } from "./wording.ts";

/** An answer of the model: text, or calls, or both; or a refusal of the API. */
interface Step {
  readonly say?: string | undefined;
  readonly calls?: readonly Call[] | undefined;
  readonly refusal?: { readonly status: number; readonly message: string } | undefined;
}

/** An answer, or how it follows from the tool results that the model was sent. */
export type Answer = Step | ((results: readonly string[]) => Step | Promise<Step>);

/** The answers in turn, by the text that a conversation begins with. */
export type Script = Readonly<Record<string, readonly Answer[]>>;

/** The key that clients of a mock send. */
const KEY = "sk-test-0123456789abcdefghij";

/** Where each API is and where it takes its key. */
const APIS = {
  openai: { prefix: "/v1", variable: "OPENAI_API_KEY" },
  anthropic: { prefix: "/v1", variable: "ANTHROPIC_API_KEY" },
  gemini: { prefix: "/v1beta", variable: "GEMINI_API_KEY" },
} as const;

/** Tokens of each answer, in the words of all three formats: the mock counts none itself. */
const USAGE = {
  ...{ input_tokens: 12, output_tokens: 7, prompt_tokens: 12, completion_tokens: 7, total_tokens: 19 },
  ...{ promptTokenCount: 12, candidatesTokenCount: 7, totalTokenCount: 19 },
};

/** Reaches a model. */
export interface SceneProvider extends AsyncDisposable {
  readonly client: Client;
  /** What went over the wire, as far as it can be seen. */
  readonly requests: readonly WireRequest[];
  /** The conversations with the number of answers that nobody asked for. */
  unused(): Readonly<Record<string, number>>;
}

type ChatMessage = ChatCompletionRequest["messages"][number];

function textOf({ content }: ChatMessage): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => part.text ?? "").join("\n");
}

/** A name and arguments as text, as models write them. */
function toToolCall({ name, args }: Call): { name: string; arguments: string } {
  return { name, arguments: JSON.stringify(args) };
}

/** Serves a script by what the mock understood of each request. */
class Prompter {
  readonly #script: () => Script;
  readonly #served = new Map<string, number>();

  constructor(script: () => Script) {
    this.#script = script;
  }

  async answer({ messages }: ChatCompletionRequest): Promise<Step> {
    const first = messages.find(({ role }) => role === "user");
    const beginning = first === undefined ? "" : textOf(first);
    const served = this.#served.get(beginning) ?? 0;
    const answer = this.#script()[beginning]?.[served];
    if (answer === undefined) throw new Error(`Nothing to say the ${served + 1}. time to: ${beginning}`);
    this.#served.set(beginning, served + 1);
    const results = messages.filter(({ role }) => role === "tool").map(textOf);
    return typeof answer === "function" ? answer(results) : answer;
  }

  unused(): Readonly<Record<string, number>> {
    const left = Object.entries(this.#script()).map(
      ([beginning, answers]) => [beginning, answers.length - (this.#served.get(beginning) ?? 0)] as const,
    );
    return Object.fromEntries(left.filter(([, count]) => count > 0));
  }
}

/**
 * Starts the mock and a client of it. What the mock cannot do: it ends answers of Gemini with calls by a reason that
 * the API does not have, so that the finish reason is `other`, and gives calls of Gemini no ids.
 */
export async function startScriptedProvider(family: Family, script: () => Script): Promise<SceneProvider> {
  const mock = new LLMock({ port: 0, chunkSize: 5, logLevel: "silent" });
  const prompter = new Prompter(script);
  mock.addFixture({
    match: { predicate: () => true },
    response: async (request) => {
      const { say = "", calls = [], refusal } = await prompter.answer(request);
      if (refusal !== undefined) return { status: refusal.status, error: { message: refusal.message }, retryAfter: 0 };
      if (calls.length === 0) return { content: say, usage: USAGE };
      const toolCalls = calls.map(toToolCall);
      return say === "" ? { toolCalls, usage: USAGE } : { content: say, toolCalls, usage: USAGE };
    },
  });
  await mock.start();
  const relay = await startRecordingRelay(mock.url);
  const { prefix, variable } = APIS[family];
  return {
    client: clientFromEnv({ [variable]: KEY }, { baseUrls: { [family]: `${relay.url}${prefix}` } }),
    requests: relay.requests,
    unused: () => prompter.unused(),
    async [Symbol.asyncDispose]() {
      await relay[Symbol.asyncDispose]();
      await mock.stop();
    },
  };
}

/** Whether a request carried the key where its API takes it. */
export function hasKey(family: Family, { headers }: WireRequest): boolean {
  const sent = { openai: headers.authorization, anthropic: headers["x-api-key"], gemini: headers["x-goog-api-key"] };
  return sent[family]?.toString().replace("Bearer ", "") === KEY;
}
