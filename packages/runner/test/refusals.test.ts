import { EngineError } from "@switchyard/contracts";
import { withRetry } from "@switchyard/llm";
import { describe, expect, test } from "vitest";
import { type Plot, Scene } from "./parity/scene.ts";

const TASK = "Do the task.";

function refusedBy(...statuses: readonly number[]): Plot {
  const refusals = statuses.map((status) => ({ refusal: { status, message: "Not now." } }));
  return { inputs: [TASK], script: () => ({ [TASK]: [...refusals, { say: "Here I am." }] }) };
}

describe.each(["openai", "anthropic", "gemini"] as const)("the API of %s", (family) => {
  const cast = { family, naming: "specification" } as const;

  test.each([429, 500, 502, 503])(
    "refuses for a while with %i, and is asked again [loop-9.11-2] [loop-B-8]",
    async (status) => {
      const delays: number[] = [];
      const delay = async (delayMs: number): Promise<void> => void delays.push(delayMs);
      await using scene = await Scene.play(
        { ...cast, wrap: (client) => withRetry(client, { delay, jitter: 0 }) },
        refusedBy(status, status),
      );
      expect(scene.provider.requests).toHaveLength(3);
      expect(scene.session.history.at(-1)).toMatchObject({ type: "assistant", content: "Here I am." });
      expect(scene.eventsOf("model_call_retried").map(({ attempt }) => attempt)).toEqual([1, 2]);
      expect(delays).toHaveLength(2);
      const bodies = scene.provider.requests.map(({ body }) => JSON.stringify(body));
      expect(new Set(bodies).size).toBe(1);
    },
  );

  test("refuses the key: reported immediately, never asked again, and the session is closed [loop-9.11-3]", async () => {
    await using scene = await Scene.play({ ...cast, wrap: (client) => withRetry(client) }, refusedBy(401));
    expect(scene.provider.requests).toHaveLength(1);
    expect(EngineError.is(scene.session.failure, "llm.authentication")).toBe(true);
    expect(scene.events.map(({ type }) => type)).toEqual(["session_start", "user_input", "error", "session_end"]);
    expect(scene.session.state).toBe("closed");
  });
});
