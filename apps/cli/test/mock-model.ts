import { LLMock } from "@copilotkit/aimock";
import { afterEach } from "vitest";
import { createKiller } from "./always-resume.ts";

/** One answer of the mock model: text, or calls with their arguments. */
export type MockAnswer = string | { name: string; arguments: Readonly<Record<string, unknown>> };

const PREFIXES = { openai: "/v1", anthropic: "/v1", gemini: "/v1beta", "openai-compatible": "/v1" } as const;

/** Wire formats of the mock model server. */
export type WireFormat = keyof typeof PREFIXES;

/** Tokens of each answer, in the words of all formats. */
const USAGE = {
  ...{ input_tokens: 10, output_tokens: 5 },
  ...{ prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  ...{ promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
};

const mocks: LLMock[] = [];

afterEach(async () => {
  await Promise.all(mocks.splice(0).map((mock) => mock.stop()));
});

/** What a mock model was asked. */
export interface MockModel {
  /** Requests that were answered, in order. */
  getRequests(): { body: unknown }[];
  /** The last of them. */
  getLastRequest(): { body: unknown } | null;
}

/** Starts a third party's mock model server that gives these answers in turn, whatever it is asked. */
export async function startMockModel(
  format: WireFormat,
  answers: readonly MockAnswer[],
): Promise<{ baseUrl: string; mock: MockModel }> {
  const server = new LLMock({ port: 0 });
  mocks.push(server);
  const kill = createKiller();
  const killed = new Set<number>();
  let [asked, next] = [0, 0];
  server.onMessage(/.*/s, () => {
    // Nobody is there any more to read the answer: its successor asks again.
    if (kill()) killed.add(asked);
    asked += 1;
    const answer = answers[killed.has(asked - 1) ? next : next++] ?? "There is nothing left to do.";
    if (typeof answer === "string") return { content: answer, usage: USAGE };
    return { toolCalls: [{ name: answer.name, arguments: JSON.stringify(answer.arguments) }], usage: USAGE };
  });
  await server.start();
  const getRequests = (): { body: unknown }[] => server.getRequests().filter((_, index) => !killed.has(index));
  const mock = { getRequests, getLastRequest: () => getRequests().at(-1) ?? null };
  return { baseUrl: `${server.url}${PREFIXES[format]}`, mock };
}
