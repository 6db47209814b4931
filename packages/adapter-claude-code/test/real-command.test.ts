import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { secret } from "@switchyard/secrets";
import { expect, test } from "vitest";
import { claudeCode } from "../src/index.ts";
import { reasonToSkip } from "./real-command.ts";

test("the real command is left alone unless that is asked for, and without a credential [adapter-testing-3]", () => {
  expect(reasonToSkip({ ANTHROPIC_API_KEY: "k" })).toContain("SWITCHYARD_CLAUDE_CODE_TEST=1");
  expect(reasonToSkip({ SWITCHYARD_CLAUDE_CODE_TEST: "1", ANTHROPIC_API_KEY: "" })).toContain(
    "nothing to sign in with",
  );
  expect(reasonToSkip({ SWITCHYARD_CLAUDE_CODE_TEST: "1", CLAUDE_CODE_OAUTH_TOKEN: "t" })).toBeUndefined();
});

test("the real command does one turn", async ({ skip }) => {
  const reason = reasonToSkip(process.env);
  if (reason !== undefined) return skip(reason);
  const root = await realpath(await mkdtemp(join(tmpdir(), "switchyard-claude-")));
  const environment = await openLocalEnvironment({ root, env: process.env });
  const set = claudeCode.credentials.map((name) => [name, process.env[name] ?? ""] as const);
  const variables = Object.fromEntries(
    set.filter(([, value]) => value !== "").map(([name, value]) => [name, secret(value)]),
  );
  const adapter = claudeCode.create({}, { variables });
  const session = await adapter.startSession({ environment, workspacePath: root });
  try {
    const result = await adapter.runTurn(session, { prompt: "Say hello in one word.", onEvent: () => undefined });
    expect(result).toMatchObject({ exitReason: "turn_completed", usageMeasured: true });
    expect(result.finalMessage).not.toBe("");
  } finally {
    await adapter.stopSession(session);
    await environment[Symbol.asyncDispose]();
    await rm(root, { recursive: true, force: true });
  }
});
