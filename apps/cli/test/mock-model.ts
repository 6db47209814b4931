import { LLMock } from "@copilotkit/aimock";
import { onTestFinished } from "vitest";
import { createKiller } from "./always-resume.ts";

/** Response of the mock model: text, or a tool call. */
export type MockAnswer = string | { name: string; arguments: Readonly<Record<string, unknown>> };

const PREFIXES = { openai: "/v1", anthropic: "/v1", gemini: "/v1beta", "openai-compatible": "/v1" } as const;

/** Wire formats of the mock model server. */
export type WireFormat = keyof typeof PREFIXES;

/** Token usage of each response, in the field names of all wire formats. */
const USAGE = {
  ...{ input_tokens: 10, output_tokens: 5 },
  ...{ prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  ...{ promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
};

/** Requests to a mock model. */
export interface MockModel {
  /** Returns the answered requests, in order. */
  getRequests(): { body: unknown }[];
  /** Returns the last answered request. */
  getLastRequest(): { body: unknown } | null;
}

/** Starts a third-party mock model server that sends the given responses in order, whatever the requests contain. */
export async function startMockModel(
  format: WireFormat,
  answers: readonly MockAnswer[],
): Promise<{ baseUrl: string; mock: MockModel }> {
  const server = new LLMock({ port: 0 });
  onTestFinished(() => server.stop());
  const kill = createKiller();
  const killed = new Set<number>();
  let [asked, next] = [0, 0];
  server.onMessage(/.*/s, () => {
    // The killed command cannot read the response. The resumed command sends the request again.
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
