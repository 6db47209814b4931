import { expect, test } from "vitest";
import { gitMessage } from "./git-message.ts";

test.each([
  ["fatal: not a git repository\nStopping at filesystem boundary (…)\n", "fatal: not a git repository"],
  ["remote: error: no\nremote: fatal\nfatal: early EOF\nerror: later\n", "fatal: early EOF"],
  ["hint: first\nsh: git: not found\n", "sh: git: not found"],
  [" \n", ""],
  [`error: ${"x".repeat(600)}`, `error: ${"x".repeat(493)}`],
])("the message of git in %j is found", (stderr, message) => {
  expect(gitMessage(stderr)).toBe(message);
});
