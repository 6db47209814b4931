import { type Client, EngineError, textOf } from "@switchyard/contracts";
import { describe, expect, test } from "vitest";
import { createClient, createOpenAiCompatibleProvider, type ProviderOptions, type Schedule } from "../src/index.ts";
import { ask, clientOf, collect, FAMILIES } from "./families.ts";
import { type Handler, sse, startServer } from "./loopback-server.ts";
import { manualTime } from "./manual-time.ts";
import { streamOf } from "./wire-answers.ts";

const chunk = (delta: object, finish: string | null = null): object => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
});

function compatible(baseUrl: string, options: Partial<ProviderOptions> = {}): Client {
  const house = createOpenAiCompatibleProvider({ name: "house", ...options, baseUrl });
  return createClient({ providers: { house }, defaultProvider: "house" });
}

/** Complete streams of all wire formats, as bytes of the response. */
const STREAMS = [
  ...FAMILIES.map(({ family, model, base }) => ({
    name: family,
    model,
    bytes: sse(streamOf(family, ["Hel", "lo"])),
    connect: (url: string, options?: Partial<ProviderOptions>) => clientOf(family, `${url}${base}`, options),
  })),
  {
    name: "OpenAI-compatible servers",
    model: "qwen3",
    bytes: `${sse([chunk({ content: "Hel" }), chunk({ content: "lo" }), chunk({}, "stop")])}data: [DONE]\n\n`,
    connect: compatible,
  },
];

/** Calls short timers immediately, and long ones never. */
const impatient: Schedule = (callback, delayMs) => {
  if (delayMs > 1_000) return () => undefined;
  const timer = setImmediate(callback);
  return () => clearImmediate(timer);
};

const hold =
  (bytes: string): Handler =>
  (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(bytes);
  };

const cut =
  (bytes: string): Handler =>
  (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(bytes, () => response.socket?.resetAndDestroy());
  };

/** Byte by byte, so that every delimiter is split. */
const drip =
  (bytes: string): Handler =>
  (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    let at = 0;
    const next = (): void => {
      if (at === bytes.length) response.socket?.resetAndDestroy();
      else response.write(bytes.charAt(at++), () => setImmediate(next));
    };
    next();
  };

async function textAndEnd(client: Client, model: string): Promise<unknown> {
  const last = (await collect(client.stream(ask(model)))).at(-1);
  return last?.type === "finish" && [textOf(last.response.message), last.response.finishReason.unified];
}

describe.each(STREAMS)("the end of a stream of $name", ({ model, bytes, connect }) => {
  test.each([
    ["at once", cut],
    ["cut into bytes", drip],
  ])("is its last event, although the connection is reset after it: %s", async (_, handler) => {
    await using server = await startServer(handler(bytes));
    expect(await textAndEnd(connect(server.url), model)).toEqual(["Hello", "stop"]);
  });

  test("is not assumed from such text inside a response", async () => {
    const text =
      '\ndata: [DONE]\n\nevent: message_stop\n\ndata: {"type":"response.completed"}\n\n"finishReason": "STOP"\n\n';
    const quoted = bytes.replace("Hel", () => JSON.stringify(text).slice(1, -1));
    const half = quoted.slice(0, quoted.indexOf("\n\n", quoted.indexOf("[DONE]")) + 2);
    await using server = await startServer(cut(half));
    const error = await textAndEnd(connect(server.url), model).catch((failure: unknown) => failure);
    expect(EngineError.is(error, "llm.stream_broken")).toBe(true);
  });
});

test.each(STREAMS.filter(({ name }) => name !== "gemini"))(
  "the last event of $name ends a stream though the connection stays open: it is closed",
  async ({ model, bytes, connect }) => {
    await using server = await startServer(hold(bytes));
    expect(await textAndEnd(connect(server.url, { schedule: impatient }), model)).toEqual(["Hello", "stop"]);
    await server.clientLeft;
  },
);

test("Gemini may report the usage after the finish reason, and a silent stream has ended there", async () => {
  const usage = { usageMetadata: { promptTokenCount: 40, candidatesTokenCount: 2, totalTokenCount: 42 } };
  const time = manualTime();
  await using server = await startServer(hold(sse([...streamOf("gemini", ["Hello"]), usage])));
  const client = clientOf("gemini", `${server.url}/v1beta`, time);
  const seen: unknown[] = [];
  for await (const event of client.stream(ask("gemini-2.5-pro"))) {
    if (event.type === "text_delta") setImmediate(() => time.pass(30_000));
    if (event.type === "finish") seen.push(event.response.finishReason.unified, event.response.usage.inputTokens);
  }
  expect(seen).toEqual(["stop", 40]);
  expect(time.waiting()).toBe(0);
  await server.clientLeft;
});

test("half an event after Gemini's finish reason is a broken stream", async () => {
  const half = `${sse(streamOf("gemini", ["Hello"]))}data: {"usage`;
  await using server = await startServer(cut(half));
  const error = await textAndEnd(clientOf("gemini", `${server.url}/v1beta`), "gemini-2.5-pro").catch(
    (failure: unknown) => failure,
  );
  expect(EngineError.is(error, "llm.stream_broken")).toBe(true);
});
