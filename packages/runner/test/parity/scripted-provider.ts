import { type ChatCompletionRequest, LLMock } from "@copilotkit/aimock";
import type { Client } from "@switchyard/contracts";
import { clientFromEnv } from "@switchyard/llm";
import type { Family } from "../histories/wire-checks.ts";
import { startRecordingRelay, type WireRequest } from "./recording-relay.ts";
import type { Call } from "./wording.ts";

/** A response of the model: text, or calls, or both; or a refusal of the API. */
interface Step {
  readonly say?: string | undefined;
  readonly calls?: readonly Call[] | undefined;
  readonly refusal?: { readonly status: number; readonly message: string } | undefined;
}

/** A response, or a function that creates it from the received tool results. */
export type Answer = Step | ((results: readonly string[]) => Step | Promise<Step>);

/** The responses in turn, by the first text of a conversation. */
export type Script = Readonly<Record<string, readonly Answer[]>>;

/** The key that clients of a mock send. */
const KEY = "sk-test-0123456789abcdefghij";

/** Address of each API, and the header in which it expects its key. */
const APIS = {
  openai: { prefix: "/v1", variable: "OPENAI_API_KEY" },
  anthropic: { prefix: "/v1", variable: "ANTHROPIC_API_KEY" },
  gemini: { prefix: "/v1beta", variable: "GEMINI_API_KEY" },
} as const;

/** Token counts of each response, in the fields of all three formats, because the mock counts none itself. */
const USAGE = {
  ...{ input_tokens: 12, output_tokens: 7, prompt_tokens: 12, completion_tokens: 7, total_tokens: 19 },
  ...{ promptTokenCount: 12, candidatesTokenCount: 7, totalTokenCount: 19 },
};

/** Reaches a model. */
export interface SceneProvider extends AsyncDisposable {
  readonly client: Client;
  /** The requests, as far as they are visible. */
  readonly requests: readonly WireRequest[];
  /** The conversations with the number of responses that were not requested. */
  unused(): Readonly<Record<string, number>>;
}

type ChatMessage = ChatCompletionRequest["messages"][number];

function textOf({ content }: ChatMessage): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => part.text ?? "").join("\n");
}

/** Name and arguments as text, in the form that models write. */
function toToolCall({ name, args }: Call): { name: string; arguments: string } {
  return { name, arguments: JSON.stringify(args) };
}

/** Selects the response from a script by the mock's parsed form of each request. */
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
 * Starts the mock and a client of it. Limitations of the mock: responses of Gemini with calls end with a reason that
 * the API does not have, so that the finish reason is `other`, and calls of Gemini have no ids.
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

/** Returns whether a request contained the key in the expected header. */
export function hasKey(family: Family, { headers }: WireRequest): boolean {
  const sent = { openai: headers.authorization, anthropic: headers["x-api-key"], gemini: headers["x-goog-api-key"] };
  return sent[family]?.toString().replace("Bearer ", "") === KEY;
}
