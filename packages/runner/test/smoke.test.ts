import { clientFromEnv, withRetry } from "@switchyard/llm";
import { describe, expect, test } from "vitest";
import { problemsOf } from "./histories/wire-checks.ts";
import { type Cast, Scene } from "./parity/scene.ts";
import { smokePlot } from "./parity/smoke-plot.ts";
import { SMOKE_STEPS } from "./parity/smoke-step.ts";
import { WIRE_FORMATS } from "./parity/wire-view.ts";

const FAMILIES = ["openai", "anthropic", "gemini"] as const;
const KEYS = {
  openai: ["OPENAI_API_KEY"],
  anthropic: ["ANTHROPIC_API_KEY"],
  gemini: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
} as const;

// Concurrent, because each test waits ten seconds for a command.
describe.concurrent.each(FAMILIES)("the smoke test over the wire format of %s", (family) => {
  test("all seven steps pass, and the sleep ends by the default timeout [loop-9.13-1] [loop-9.13-2] [loop-9.13-3] [loop-9.4-2]", async () => {
    await using scene = await Scene.play({ family, naming: "specification" }, smokePlot(family));
    expect(scene.session.failure).toBeUndefined();
    expect(scene.provider.unused()).toEqual({});
    expect(scene.eventsOf("processing_end").map(({ outcome }) => outcome)).toEqual(SMOKE_STEPS.map(() => "completed"));
    for (const { body } of scene.provider.requests) expect(problemsOf(family, body)).toEqual([]);
    const { results } = WIRE_FORMATS[family];
    const sent = results(scene.provider.requests.at(-1)?.body).map(({ content }) => content);
    expect(sent.at(-1)).toContain("[ERROR: Command timed out after 10000ms.");
    expect(sent.filter((content) => content.includes("[WARNING: Tool output was truncated."))).toHaveLength(1);
    expect(sent.some((content) => content.length > 50_000)).toBe(false);
  });
});

describe.each(FAMILIES)("the smoke test with the real model of %s", (family) => {
  test("all seven steps pass [loop-9.13-1]", async ({ skip }) => {
    const keys = KEYS[family];
    const hasKey = keys.some((key) => (process.env[key] ?? "") !== "");
    skip(!hasKey, `calls the real model, which costs money: needs ${keys.join(" or ")}`);
    const provider: NonNullable<Cast["provider"]> = {
      client: withRetry(clientFromEnv(process.env, { defaultProvider: family })),
      requests: [],
      unused: () => ({}),
      async [Symbol.asyncDispose]() {},
    };
    await using scene = await Scene.play({ family, naming: "specification", provider }, smokePlot(family));
    expect(scene.session.failure).toBeUndefined();
  }, 1_800_000);
});
