import { expect, test } from "vitest";
import { type WireFormat, wireResponse } from "../index.ts";

test.each<WireFormat>(["openai", "anthropic", "gemini"])(
  "a response in the format of %s has its text and its usage",
  (format) => {
    const wire = JSON.stringify(wireResponse(format, "Hello"));
    expect(wire).toMatch(/"text":"Hello"/);
    expect(wire).toMatch(/"(?:input_tokens|promptTokenCount)":10/);
  },
);
