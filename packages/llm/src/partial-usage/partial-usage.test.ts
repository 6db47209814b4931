import { expect, test } from "vitest";
import { readPartialUsage } from "./read-partial-usage.ts";
import { UsageLines } from "./usage-lines.ts";

const line = (event: object): string => `data: ${JSON.stringify(event)}\n\n`;

const ANTHROPIC = [
  line({
    type: "message_start",
    message: { id: "m1", usage: { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 1 } },
  }),
  line({ type: "content_block_delta", delta: { type: "text_delta", text: "hi" } }),
  line({ type: "message_delta", usage: { output_tokens: 7 } }),
].join("");

test.each([
  ["Anthropic", ANTHROPIC, { inputTokens: 15, outputTokens: 7, totalTokens: 22, responseId: "m1" }],
  [
    "chat completions",
    line({ id: "c1", choices: [] }) + line({ id: "c1", usage: { prompt_tokens: 3, completion_tokens: 4 } }),
    { inputTokens: 3, outputTokens: 4, responseId: "c1" },
  ],
  [
    "responses",
    line({ type: "response.failed", response: { id: "r1", usage: { input_tokens: 6, output_tokens: 2 } } }),
    { inputTokens: 6, outputTokens: 2, responseId: "r1" },
  ],
  [
    "Gemini",
    line({ responseId: "g1", usageMetadata: { promptTokenCount: 8, candidatesTokenCount: 1, thoughtsTokenCount: 2 } }),
    { inputTokens: 8, outputTokens: 3, responseId: "g1" },
  ],
])("the usage that a partial response of %s has reported is read, wherever its pieces are cut", (_, stream, usage) => {
  for (let size = 1; size <= stream.length; size += 1) {
    const lines = new UsageLines();
    const bytes = Buffer.from(stream);
    for (let start = 0; start < bytes.length; start += size) lines.add(bytes.subarray(start, start + size));
    expect(readPartialUsage(lines.lines, "m"), `pieces of ${size}`).toMatchObject(usage);
  }
});

test("a response that reported no usage has no usage, and an incomplete line is ignored", () => {
  const lines = new UsageLines();
  lines.add(Buffer.from(line({ id: "c1", choices: [{ delta: { content: '"usage' } }] })));
  lines.add(Buffer.from('data: {"id":"c1","usage":{"prompt_tokens":3'));
  expect(readPartialUsage(lines.lines, "m")).toBeUndefined();
});
