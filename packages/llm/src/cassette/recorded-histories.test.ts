import { type Client, type Message, textMessage } from "@switchyard/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { RecordedCall } from "./cassette.ts";
import { parseCassette } from "./parse-cassette.ts";
import { withRecorder } from "./with-recorder.ts";

const MODEL: Client = {
  complete: async ({ model, provider = "acme" }) => ({
    ...{ id: "r", model, provider, message: textMessage("assistant", "done"), warnings: [] },
    finishReason: { unified: "stop" },
    usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 },
  }),
  stream: () => {
    throw new Error("The calls of this test are not streamed.");
  },
  close: async () => undefined,
};

/** Next call of a test: it continues the last call or the one before it, without up to six of its last messages. */
const STEP = fc.record({ follows: fc.constantFrom(1, 1, 2), cut: fc.constantFrom(0, 0, 0, 1, 6), added: fc.nat(3) });

test("each call is recorded with its own history, also if conversations are cut or alternate", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 1, maxLength: 8 }), async (steps) => {
      const lines: string[] = [];
      const calls: RecordedCall[] = [];
      const client = withRecorder(MODEL, { write: (line) => lines.push(line), record: (call) => calls.push(call) });
      const sent: (readonly Message[])[] = [];
      for (const [number, { follows, cut, added }] of steps.entries()) {
        const history = sent.at(-follows) ?? [];
        const news = Array.from({ length: added + 1 }, (_, index) => textMessage("user", `${number}.${index}`));
        const messages = [...history.slice(0, Math.max(0, history.length - cut)), ...news];
        sent.push(messages);
        await client.complete({ provider: "openai", model: "m", messages });
      }
      expect(calls.map(({ request }) => request.messages)).toEqual(sent);
      const parsed = parseCassette(`${lines.join("\n")}\n`);
      expect(parsed.calls.map(({ request }) => request.messages)).toEqual(sent);
    }),
    { numRuns: 50 },
  );
});

test("settings that the caller changes between two calls are recorded as sent, without credentials", async () => {
  const calls: RecordedCall[] = [];
  const client = withRecorder(MODEL, { write: () => {}, record: (call) => calls.push(call) });
  const servers: unknown[] = [];
  const openai = { effort: "low", servers };
  const request = {
    provider: "openai",
    model: "m",
    messages: [textMessage("user", "go")],
    providerOptions: { openai },
  };
  await client.complete(request);
  servers.push({ url: "https://mcp.example", authorization_token: "plainvalue4711" });
  openai.effort = "high";
  await client.complete(request);
  const [first, second] = calls.map((call) => call.request.providerOptions);
  expect(first).toEqual({ openai: { effort: "low", servers: [] } });
  expect(second).toMatchObject({ openai: { effort: "high", servers: [{ url: "https://mcp.example" }] } });
  expect(JSON.stringify(second)).not.toContain("plainvalue4711");
});
