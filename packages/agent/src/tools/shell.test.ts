import type { ExecOptions, ExecResult } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import {
  callTool,
  createAnthropicProfile,
  createGeminiProfile,
  createOpenAiProfile,
  type ProviderProfile,
  type SessionConfig,
  type ToolCallResult,
} from "../index.ts";

const ENDED: ExecResult = {
  stdout: "",
  stderr: "",
  exitCode: 0,
  timedOut: false,
  aborted: false,
  durationMs: 1,
  droppedBytes: 0,
};

interface TimeoutCase {
  profile: ProviderProfile;
  args?: Record<string, unknown>;
  config?: Partial<SessionConfig>;
}

/** Returns the timeout that the environment receives. */
async function timeoutOf({ profile, args, config }: TimeoutCase): Promise<number | undefined> {
  await using workspace = await openWorkspace();
  let seen: number | undefined;
  const shell = async (_: string, options?: ExecOptions): Promise<ExecResult> => {
    seen = options?.timeoutMs;
    return ENDED;
  };
  const environment = { ...workspace.environment, shell };
  await callTool({ profile, environment, name: "shell", arguments: { command: "true", ...args }, config });
  return seen;
}

async function run(command: string, args: Record<string, unknown> = {}): Promise<ToolCallResult> {
  await using workspace = await openWorkspace();
  const profile = createAnthropicProfile({ model: "claude" });
  return await callTool({
    profile,
    environment: workspace.environment,
    name: "shell",
    arguments: { command, ...args },
  });
}

test("stdout, stderr, exit code and duration come back [loop-3.3-16]", async () => {
  const result = await run("echo out; echo err >&2");
  expect(result.isError).toBe(false);
  expect(result.content).toMatch(/^out\nerr\n\[Exit code: 0\. Duration: \d+ms\]$/);
});

test("a nonzero exit code comes back as an error with the output [loop-B-2]", async () => {
  const result = await run("echo partly; exit 3");
  expect(result).toMatchObject({ isError: true, details: { exitCode: 3, timedOut: false } });
  expect(result.content).toMatch(/^partly\n\[Exit code: 3\./);
});

test("a command that times out returns its output and a message [loop-3.3-18] [loop-5.4-3]", async () => {
  const result = await run("echo begun; sleep 30", { timeout_ms: 300 });
  expect(result.isError).toBe(true);
  expect(result.content).toBe(
    "begun\n[ERROR: Command timed out after 300ms. Partial output is shown above. You can retry with a longer timeout by setting the timeout_ms parameter.]",
  );
});

test("output is shown while it arrives", async () => {
  await using workspace = await openWorkspace();
  const seen: string[] = [];
  const profile = createAnthropicProfile({ model: "claude" });
  await callTool({
    profile,
    environment: workspace.environment,
    name: "shell",
    arguments: { command: "echo one; echo two" },
    onUpdate: (text) => seen.push(text),
  });
  expect(seen.join("")).toBe("one\ntwo\n");
});

const openai = createOpenAiProfile({ model: "gpt" });
const anthropic = createAnthropicProfile({ model: "claude" });
const gemini = createGeminiProfile({ model: "gemini" });

test("OpenAI and Gemini give a command 10 seconds [loop-2.2-4] [loop-3.4-3] [loop-3.6-2] [loop-5.4-1] [loop-9.4-2]", async () => {
  expect(await timeoutOf({ profile: openai })).toBe(10_000);
  expect(await timeoutOf({ profile: gemini })).toBe(10_000);
});

test("Anthropic gives it 120 seconds [loop-3.5-3]", async () => {
  expect(await timeoutOf({ profile: anthropic })).toBe(120_000);
});

test("the call's timeout overrides every default [loop-3.3-17] [loop-3.5-4] [loop-9.4-3]", async () => {
  expect(await timeoutOf({ profile: anthropic, args: { timeout_ms: 7_000 } })).toBe(7_000);
  expect(await timeoutOf({ profile: openai, args: { timeout_ms: 7_000 } })).toBe(7_000);
});

test("the host's default overrides the profile's [loop-1.3-1] [loop-3.3-17]", async () => {
  expect(await timeoutOf({ profile: anthropic, config: { defaultCommandTimeoutMs: 5_000 } })).toBe(5_000);
});

test("no command gets more than the maximum [loop-2.2-5] [loop-3.5-5] [loop-5.4-2]", async () => {
  expect(await timeoutOf({ profile: anthropic, args: { timeout_ms: 9_999_999 } })).toBe(600_000);
  expect(await timeoutOf({ profile: anthropic, config: { maxCommandTimeoutMs: 1_000 } })).toBe(1_000);
});

test("the model is informed of background processes that were ended with their command", async () => {
  await using workspace = await openWorkspace();
  const profile = createAnthropicProfile({ model: "claude" });
  const run = (command: string): ReturnType<typeof callTool> =>
    callTool({ profile, environment: workspace.environment, name: "shell", arguments: { command } });
  const ended = await run("echo started; sleep 53 &");
  expect(ended).toMatchObject({ isError: false, details: { exitCode: 0, endedProcesses: true } });
  expect(ended.content).toContain("[Processes that the command left running were ended when it finished.");
  expect(ended.content).toContain("Set background to keep a command running.");
  const plain = await run("sleep 0 & wait; echo done");
  expect(plain.content).not.toContain("were ended");
});
