import { describe, expect, test } from "vitest";
import { FINISH_REASONS } from "./finish-reason-table.ts";
import { toFinishReason } from "./to-finish-reason.ts";

const ALL = Object.entries(FINISH_REASONS).flatMap(([family, rows]) => rows.map((row) => ({ family, row })));

describe("the table of finish reasons", () => {
  test("has a public source for every row, and a problem for every error", () => {
    for (const { row } of ALL) {
      expect(row.source, row.raw).toMatch(/^https:\/\//u);
      expect(row.unified === "error", row.raw).toBe(row.problem !== undefined);
    }
  });

  test("no finish reason is listed twice for a family", () => {
    for (const rows of Object.values(FINISH_REASONS)) {
      const words = rows.map(({ raw }) => raw.toLowerCase());
      expect(words.length).toBe(new Set(words).size);
    }
  });

  test.each(ALL)("$row.raw of $family is mapped, whatever the provider package returns", ({ family, row }) => {
    const reason = toFinishReason({ unified: "other", raw: row.raw }, { family, hasToolCalls: false });
    expect(reason).toMatchObject({ unified: row.unified, raw: row.raw });
    expect(reason.problem).toBe(row.problem);
  });
});

const of = (raw: string | undefined, family = "openai-compatible", hasToolCalls = false) =>
  toFinishReason({ unified: "other", raw }, { family, hasToolCalls }).unified;

test("finish reasons of another family apply behind a gateway, in any case and with its prefix", () => {
  expect(of("MAX_TOKENS")).toBe("length");
  expect(of("end_turn")).toBe("stop");
  expect(of("Refusal")).toBe("content_filter");
  expect(of("function_call_filter: MALFORMED_FUNCTION_CALL")).toBe("error");
});

test("an unlisted finish reason is the provider package's value", () => {
  expect(of("something_new")).toBe("other");
  const reason = { unified: "length", raw: "something_new" };
  expect(toFinishReason(reason, { family: "gemini", hasToolCalls: false }).unified).toBe("length");
});

test("complete calls determine the reason if the reported one does not mark them as invalid", () => {
  expect(of("STOP", "gemini", true)).toBe("tool_calls");
  expect(of("OTHER", "gemini", true)).toBe("tool_calls");
  expect(of("eos", "openai-compatible", true)).toBe("tool_calls");
  expect(of("MALFORMED_FUNCTION_CALL", "gemini", true)).toBe("error");
  expect(of("max_tokens", "anthropic", true)).toBe("length");
});

test("a blocked prompt is filtered, whatever its reason means at the end of a response", () => {
  const reason = { unified: "content-filter", raw: "OTHER" };
  expect(toFinishReason(reason, { family: "gemini", hasToolCalls: false })).toEqual({
    unified: "content_filter",
    raw: "OTHER",
  });
});

test("a paused response is reported as paused", () => {
  const reason = { unified: "stop", raw: "pause_turn" };
  expect(toFinishReason(reason, { family: "anthropic", hasToolCalls: false })).toEqual({
    unified: "other",
    raw: "pause_turn",
    isPaused: true,
  });
});
