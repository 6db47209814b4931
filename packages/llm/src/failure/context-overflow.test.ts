import { describe, expect, test } from "vitest";
import { classifyStatus } from "./classify-status.ts";
import { OUTPUT_LIMIT_WORDINGS, outputLimitIn } from "./output-limit.ts";
import { OVERFLOW_LOOKALIKES, OVERFLOW_WORDINGS } from "./overflow-wordings.ts";

const rows = OVERFLOW_WORDINGS.map((row) => ({
  ...row,
  statuses: row.status === "any" ? [400, 422, 500, 503] : [400, 413, 422],
}));

describe("context overflow", () => {
  test.each(rows)("is recognised in the error text of $server", ({ pattern, example, statuses, host }) => {
    const address = host === undefined ? undefined : "api.cerebras.ai";
    expect(example).toMatch(pattern);
    for (const status of statuses) {
      expect(classifyStatus({ status, text: example, host: address }), String(status)).toBe("llm.context_length");
    }
  });

  test.each([
    "Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens).",
    "Trying to keep the first 111490 tokens when context the overflows. However, the model is loaded with context length of only 32768 tokens, which is not enough.",
    "Reached context length of 4096 tokens with model (arch: qwen3vlmoe) that does not currently support mid-generation context overflow.",
    "the number of input tokens 4098 cannot exceed the total tokens limit 4096 for this model",
    "Your request contains 250000 tokens, which is over the model's limit of 200000",
    "The input is too large: 200000 tokens exceed the 131072 limit",
    "Input length (40000) exceeds model's maximum length (32768).",
    "The sequence length of 33000 exceeds the max 32768 of the model",
    "Token limit exceeded: prompt has 40000 tokens, limit is 32768",
    "max prompt tokens exceeded",
    "context_too_large",
  ])("is recognised in other error texts: %s", (text) => {
    expect(classifyStatus({ status: 400, text })).toBe("llm.context_length");
  });

  test("each wording and each look-alike has a public source", () => {
    for (const { source } of [...OVERFLOW_WORDINGS, ...OVERFLOW_LOOKALIKES, ...OUTPUT_LIMIT_WORDINGS]) {
      expect(source).toMatch(/^https:\/\/[^ ]+\/.+/);
    }
  });

  test("general error texts count only if the request was rejected", () => {
    const general = rows.filter(({ status, host }) => status === "rejection" && host === undefined);
    for (const { example } of general) {
      expect(classifyStatus({ status: 500, text: example })).toBe("llm.server_error");
    }
  });

  test.each([401, 403, 404, 429])("is not assumed under HTTP %i, whatever the text", (status) => {
    for (const { example } of rows) expect(classifyStatus({ status, text: example })).not.toBe("llm.context_length");
  });

  test("an empty 400 counts for the one provider that sends it", () => {
    expect(classifyStatus({ status: 400, text: "", host: "llm.example.com" })).toBe("llm.invalid_request");
    expect(classifyStatus({ status: 400, text: "", host: "notcerebras.ai" })).toBe("llm.invalid_request");
  });
});

describe("errors that resemble context overflow", () => {
  test.each(OVERFLOW_LOOKALIKES)("$about is not context overflow", ({ example }) => {
    expect(classifyStatus({ status: 429, text: example })).toBe("llm.rate_limited");
    expect(classifyStatus({ status: 413, text: example })).toBe("llm.rate_limited");
    expect(classifyStatus({ status: 400, text: example })).toBe("llm.rate_limited");
    expect(classifyStatus({ status: 503, text: example })).toBe("llm.server_error");
  });

  test.each([
    "Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64, but got 80.",
    "Tool argument validation failed: input length exceeds 1000 characters",
    "messages.3.content.1.image.source.base64: image exceeds 5 MB maximum: 7340032 bytes > 5242880 bytes",
    "The number of tools exceeds the maximum of 128",
    "Too many stop sequences; the maximum is 4",
    "context_management: Extra inputs are not permitted",
    "Unknown parameter: 'context_window'",
    "context deadline exceeded",
    "You exceeded your monthly token limit of 1000000 tokens",
    "daily token limit exceeded",
    "max_tokens: 9000 tokens exceeds the limit of 8192",
    "The parameter max_tokens exceeds the maximum of 8192",
    "messages: too many images; 100 exceeds the limit",
    "tools.0.custom.input_schema: property keys exceed the maximum length of 64",
    "response was cut: maximum output tokens reached",
  ])("%s is an invalid request", (text) => {
    expect(classifyStatus({ status: 400, text })).toBe("llm.invalid_request");
  });
});

describe("max_tokens above the model's limit", () => {
  const alone = OUTPUT_LIMIT_WORDINGS.filter(({ pattern }) => !/<window>/.test(pattern.source));
  const shared = OUTPUT_LIMIT_WORDINGS.filter(({ pattern }) => /<window>/.test(pattern.source));

  test.each(alone)("is an invalid request with its limit in the error text of $server", ({ example }) => {
    expect(classifyStatus({ status: 400, text: example })).toBe("llm.invalid_request");
    expect(outputLimitIn(example)).toMatchObject({ isShared: false, limit: expect.any(Number) });
  });

  test.each(shared)("is context overflow that a smaller output avoids in the error text of $server", ({ example }) => {
    expect(classifyStatus({ status: 400, text: example })).toBe("llm.context_length");
    expect(outputLimitIn(example)).toMatchObject({ isShared: true, limit: expect.any(Number) });
  });

  test.each([
    ["max_tokens: 128001 > 64000, which is the maximum allowed number of output tokens for claude-x", 64_000],
    ["maxOutputTokens value of 65536 but the supported range is from 1 (inclusive) to 65536 (exclusive).", 65_535],
    ["max_tokens must be less than or equal to 131,072", 131_072],
    [
      "This model's maximum context length is 8192 tokens. However, you requested 8256 tokens (64 in the messages, 8192 in the completion).",
      8_128,
    ],
    ["max_tokens may not exceed 4096 for this model", 4_096],
    ["max_completion_tokens is limited", undefined],
  ])("%s names %s", (text, limit) => {
    expect(outputLimitIn(text)?.limit).toBe(limit);
  });

  test("a smaller output limit is not tried if the input fills most of the context window", () => {
    const text =
      "This model's maximum context length is 131072 tokens. However, you requested 131329 tokens (123137 in the messages, 8192 in the completion).";
    expect(outputLimitIn(text)).toEqual({ isShared: true, sent: 8192 });
  });

  test("an error that does not mention the output sets no output limit", () => {
    expect(outputLimitIn("temperature must be at most 2")).toBeUndefined();
  });
});
