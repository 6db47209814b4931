import { expect, test } from "vitest";
import { createFakeContext } from "../../test/fake-context.ts";
import { logFailure } from "./log-failure.ts";

const KEY = "sk-ant-secret-of-this-test-0123456789";

test("a failure is one line of JSON, in which secrets of the environment are masked", async () => {
  const { context, told } = createFakeContext({ env: { ANTHROPIC_API_KEY: KEY }, now: () => 0 });
  await logFailure(context, new Error(`It broke with\n${KEY}.`));
  expect(told().split("\n")).toHaveLength(2);
  const { problem, ...line } = JSON.parse(told());
  expect(line).toMatchObject({ time: "1970-01-01T00:00:00.000Z", level: "error", message: "failure" });
  expect(problem).toContain("It broke with");
  expect(told()).not.toContain(KEY);
});

test("with --debug, the stack trace follows, also without secrets", async () => {
  const { context, told } = createFakeContext({ env: { ANTHROPIC_API_KEY: KEY }, words: ["serve", "--debug"] });
  await logFailure(context, new Error(`It broke with ${KEY}.`, { cause: new Error(`because of ${KEY}`) }));
  expect(told()).toMatch(/\n +at .*\ncaused by: /s);
  expect(told()).not.toContain(KEY);
});
