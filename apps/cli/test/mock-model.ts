import { LLMock } from "@copilotkit/aimock";
import { afterEach } from "vitest";

/** One answer of the mock model: text, or calls with their arguments. */
export type MockAnswer = string | { name: string; arguments: Readonly<Record<string, unknown>> };

const PREFIXES = { openai: "/v1", anthropic: "/v1", gemini: "/v1beta" } as const;

/** Wire formats of the mock model server. */
export type WireFormat = keyof typeof PREFIXES;

const mocks: LLMock[] = [];

afterEach(async () => {
  await Promise.all(mocks.splice(0).map((mock) => mock.stop()));
});

/** Starts a third party's mock model server that gives these answers in turn, whatever it is asked. */
export async function startMockModel(
  format: WireFormat,
  answers: readonly MockAnswer[],
): Promise<{ baseUrl: string; mock: LLMock }> {
  const mock = new LLMock({ port: 0 });
  mocks.push(mock);
  let next = 0;
  mock.onMessage(/.*/s, () => {
    const answer = answers[next++] ?? "There is nothing left to do.";
    if (typeof answer === "string") return { content: answer };
    return { toolCalls: [{ name: answer.name, arguments: JSON.stringify(answer.arguments) }] };
  });
  await mock.start();
  return { baseUrl: `${mock.url}${PREFIXES[format]}`, mock };
}
