import { EngineError } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { parseSessionInput } from "./parse-session-input.ts";

async function problem(text: string): Promise<EngineError> {
  const error: unknown = await parseSessionInput(text, "case.json").catch((reason: unknown) => reason);
  if (!EngineError.is(error)) throw new Error("it was accepted");
  return error;
}

test("a whole input is read; fields that are not known are left out", async () => {
  const input = {
    case_id: "c",
    variant: "v",
    workspace: "/w",
    model: "openai/gpt-5",
    kwargs: { profile: "strict" },
    messages: [
      { role: "system", content: "s" },
      { role: "user", content: "u" },
    ],
    max_turns: 12,
    timeout_seconds: 300,
  };
  expect(await parseSessionInput(JSON.stringify({ ...input, further: [1] }), "case.json")).toEqual(input);
  expect(await parseSessionInput(`\uFEFF${JSON.stringify(input)}`, "case.json")).toEqual(input);
});

test("invalid JSON is an error with line and column, whatever Node calls it", async () => {
  const error = await problem('{\n  "messages": [\n    { "role": "user" "content": "x" }\n  ]\n}');
  expect(error.code).toBe("input.malformed");
  expect(error.details).toMatchObject({ path: "case.json", line: 3, column: 22 });
  expect(error.message).toContain("line 3, column 22");
  expect(error.cause).toBeInstanceOf(SyntaxError);
});

test("an invalid SessionInput is an error that names the fields", async () => {
  const cases: [unknown, RegExp][] = [
    [[], /\(the whole\)/],
    [{}, /messages/],
    [{ messages: [{ role: "user" }] }, /messages\[0\]\.content/],
    [{ messages: [{ role: "robot", content: "x" }] }, /messages\[0\]\.role/],
    [{ messages: [{ role: "user", content: "x" }], kwargs: { a: 1 } }, /kwargs\.a/],
    [{ messages: [{ role: "user", content: "x" }], max_turns: -1 }, /max_turns/],
    [{ messages: [{ role: "user", content: "x" }], timeout_seconds: "5" }, /timeout_seconds/],
    [{ messages: [] }, /role user/],
    [{ messages: [{ role: "assistant", content: "x" }] }, /role user/],
    [{ messages: Array.from({ length: 9 }, () => ({})) }, /and \d+ more/],
  ];
  for (const [value, message] of cases) {
    const error = await problem(JSON.stringify(value));
    expect(error.code).toBe("input.invalid");
    expect(error.message).toMatch(message);
    expect(error.message).toContain("case.json");
  }
});

test("a deeply nested input is refused without a crash", async () => {
  const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
  expect((await problem(`{"messages": ${deep}}`)).code).toBe("input.invalid");
  expect((await problem(deep)).code).toBe("input.invalid");
});
