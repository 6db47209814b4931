import { expect, test } from "vitest";
import type { EngineHost } from "../engine/engine-host.ts";
import { checkDocument } from "./check-document.ts";

const HOST: EngineHost = {
  ...{ env: {}, homeDirectory: undefined, workingDirectory: "/", now: () => 0, createdBy: "test 1.0" },
  importModule: (path) => Promise.reject(new Error(`${path} was imported`)),
  onWarning: () => undefined,
};

function check(data: unknown) {
  return checkDocument(HOST, data, { project: undefined });
}

test.each([
  ["SessionInput", { messages: [{ role: "user", content: "Fix it." }] }],
  ["SessionResult", { exit_code: 0, final_message: "Done." }],
  ["EngineConfig", { name: "acme", custom: { transport: "command", command: ["true"] } }],
] as const)("a document that is a %s is recognised", async (type, data) => {
  expect((await check(data)).type).toBe(type);
});

test("the problems of a session input name their fields", async () => {
  expect(await check({ messages: [{ role: "user", content: 1 }] })).toMatchObject({
    ...{ type: "SessionInput", problems: [expect.stringMatching(/^messages\[0\]\.content: /u)] },
  });
  expect(await check({ messages: [] })).toMatchObject({ problems: [expect.stringMatching(/^messages: /u)] });
  expect(await check(1)).toMatchObject({ type: "SessionInput", problems: [expect.any(String)] });
});

test("an artifact without a source is a problem of a session result", async () => {
  const { type, problems } = await check({ exit_code: 0, final_message: "", artifacts: { files: [{ name: "a" }] } });
  expect({ type, count: problems.length }).toEqual({ type: "SessionResult", count: 1 });
});

test("of many problems, twenty are listed", async () => {
  const messages = Array.from({ length: 30 }, () => ({ role: "user", content: 1 }));
  const { problems } = await check({ messages });
  expect(problems).toHaveLength(21);
  expect(problems.at(-1)).toBe("and 10 more");
});

test("a document whose type is known is not guessed", async () => {
  const found = await checkDocument(HOST, { messages: [] }, { type: "EngineConfig", project: undefined });
  expect(found.type).toBe("EngineConfig");
  expect(found.problems.length).toBeGreaterThan(0);
});
