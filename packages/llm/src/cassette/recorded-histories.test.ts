import { type Client, type Message, type ToolDefinition, textMessage } from "@switchyard/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { RecordedCall } from "./cassette.ts";
import { createReplayClient } from "./create-replay-client.ts";
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

test("a caller that reuses its lists of messages and tools gets each call recorded as it was sent", async () => {
  const lines: string[] = [];
  const calls: RecordedCall[] = [];
  const messages: Message[] = [];
  const tools: ToolDefinition[] = [];
  const sent: unknown[] = [];
  // The model's answer arrives after the caller has added a message for the next call.
  const slow: Client = {
    ...MODEL,
    complete: async (request) => {
      await Promise.resolve();
      messages.push(textMessage("user", "added during the call"));
      return await MODEL.complete(request);
    },
  };
  const client = withRecorder(slow, { write: (line) => lines.push(line), record: (call) => calls.push(call) });
  for (const [round, name] of ["one", "two", "three", "four"].entries()) {
    messages.push(textMessage("user", name));
    if (round === 3) messages.splice(1, 2);
    tools.push({ name, description: name, parameters: { type: "object" } });
    sent.push({ messages: messages.slice(), tools: tools.slice() });
    await client.complete({ provider: "openai", model: "m", messages, tools });
  }
  const recorded = (list: readonly RecordedCall[]): unknown[] =>
    list.map(({ request }) => ({ messages: request.messages, tools: request.tools }));
  expect(recorded(calls)).toEqual(sent);
  const cassette = parseCassette(`${lines.join("\n")}\n`);
  expect(recorded(cassette.calls)).toEqual(sent);
});

test("a caller that reuses its list of messages can replay the recording", async () => {
  const converse = async (client: Client): Promise<void> => {
    const messages: Message[] = [];
    for (const name of ["one", "two", "three"]) {
      messages.push(textMessage("user", `${name} sk-ant-api03-${"k".repeat(40)}`));
      const { message } = await client.complete({ provider: "openai", model: "m", messages });
      messages.push(message);
    }
    await client.close();
  };
  const lines: string[] = [];
  await converse(withRecorder(MODEL, { write: (line) => lines.push(line) }));
  const cassette = parseCassette(`${lines.join("\n")}\n`);
  expect(cassette.calls.map(({ request }) => request.messages.length)).toEqual([1, 3, 5]);
  const replay = createReplayClient(cassette, { mode: "strict" });
  await converse(replay);
  replay.assertFinished();
});
