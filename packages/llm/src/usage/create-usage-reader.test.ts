import fc from "fast-check";
import { expect, test } from "vitest";
import { createUsageReader } from "./create-usage-reader.ts";

const line = (event: object): string => `data: ${JSON.stringify(event)}\n\n`;
const chat = (usage: object | null): object => ({ id: "c1", choices: [{ delta: { content: '"usage": é' } }], usage });

const CHAT_USAGE = {
  ...{ prompt_tokens: 30, completion_tokens: 9, total_tokens: 39 },
  ...{ prompt_tokens_details: { cached_tokens: 20 }, completion_tokens_details: { reasoning_tokens: 4 } },
};
const RESPONSES_USAGE = {
  ...{ input_tokens: 30, output_tokens: 9 },
  ...{ input_tokens_details: { cached_tokens: 20 }, output_tokens_details: { reasoning_tokens: 4 } },
};
const GEMINI_USAGE = {
  promptTokenCount: 30,
  candidatesTokenCount: 5,
  cachedContentTokenCount: 20,
  thoughtsTokenCount: 4,
};
const USED = { inputTokens: 30, outputTokens: 9, totalTokens: 39, cacheReadTokens: 20 };

const STREAMS: readonly (readonly [api: string, stream: string, usage: object])[] = [
  [
    "Anthropic",
    line({
      type: "message_start",
      message: {
        id: "m",
        usage: { input_tokens: 7, cache_read_input_tokens: 20, cache_creation_input_tokens: 3, output_tokens: 1 },
      },
    }) +
      line({ type: "content_block_delta", delta: { text: '"usage":{"output_tokens":999}' } }).repeat(20) +
      line({ type: "message_delta", usage: { output_tokens: 9 } }),
    { ...USED, cacheWriteTokens: 3 },
  ],
  [
    "chat completions",
    line(chat(null)).repeat(20) + line(chat(CHAT_USAGE)) + "data: [DONE]\n\n",
    { ...USED, reasoningTokens: 4 },
  ],
  [
    "responses",
    line({ type: "response.created", response: { id: "r", usage: null } }) +
      line({ type: "response.output_text.delta", delta: "usage" }).repeat(20) +
      line({ type: "response.completed", response: { id: "r", usage: RESPONSES_USAGE } }),
    { ...USED, reasoningTokens: 4 },
  ],
  [
    "Gemini",
    line({ responseId: "g", usageMetadata: { promptTokenCount: 30 } }).repeat(20) +
      line({ responseId: "g", usageMetadata: GEMINI_USAGE }),
    { ...USED, reasoningTokens: 4 },
  ],
];

test.each(STREAMS)("the usage of a stream of %s is read, wherever the stream is split", (_, stream, usage) => {
  const bytes = Buffer.from(stream);
  const cuts = fc.array(fc.nat(bytes.byteLength), { maxLength: 40 });
  fc.assert(
    fc.property(cuts, (positions) => {
      const reader = createUsageReader({ isStream: true });
      const sorted = [0, ...positions.sort((left, right) => left - right), bytes.byteLength];
      for (const [index, end] of sorted.slice(1).entries()) reader.add(bytes.subarray(sorted[index], end));
      expect(reader.usage("m")).toMatchObject({ ...usage, model: "m" });
    }),
  );
});

test("the usage of a complete response is read, also from an array of events", () => {
  for (const body of [
    { usage: RESPONSES_USAGE },
    [{ usageMetadata: { promptTokenCount: 30 } }, { usageMetadata: GEMINI_USAGE }],
  ]) {
    const bytes = Buffer.from(JSON.stringify(body, undefined, 2));
    const reader = createUsageReader({ isStream: false });
    for (const byte of bytes) reader.add(Buffer.of(byte));
    expect(reader.usage("m")).toMatchObject({ ...USED, reasoningTokens: 4 });
  }
});

test("a response without usage, or without JSON, has no usage", () => {
  for (const isStream of [true, false]) {
    const reader = createUsageReader({ isStream });
    reader.add(Buffer.from('{"usage":null, "usage'));
    expect(reader.usage("m")).toBeUndefined();
  }
});
