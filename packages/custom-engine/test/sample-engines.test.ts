import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionMessage } from "@switchyard/contracts";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "./open-workspace.ts";
import { type EngineRun, type RunOptions, runEngine } from "./run-engine.ts";

const ENGINES = join(import.meta.dirname, "../../../fixtures/engines");
const KEY = "sample/key+of-an:engine";

const LANGUAGES = [
  { language: "sh", extension: "sh", probe: ["sh", "-c", ":"] },
  { language: "Python", extension: "py", probe: ["python3", "-c", ""] },
  { language: "Node", extension: "mjs", probe: ["node", "-e", ""] },
] as const;

function missing([command, ...args]: readonly [string, ...string[]]): boolean {
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return false;
  } catch {
    return true;
  }
}

function says(...texts: readonly string[]): { messages: SessionMessage[] } {
  return { messages: texts.map((content, index) => ({ role: index % 2 === 0 ? "user" : "assistant", content })) };
}

interface Sample extends EngineRun {
  /** Text of a workspace file, read after the run. */
  readonly files: Readonly<Record<string, string>>;
}

/** Runs one of the engines with settings of `engine.custom` and its block `local`. */
async function runSample(
  file: string,
  { output_file, ...settings }: Readonly<Record<string, unknown>> = {},
  options: Omit<RunOptions, "environment"> = {},
): Promise<Sample> {
  await using workspace = await openWorkspace({ "outside.txt": "not yours\n", "workspace/.keep": "" });
  await using environment = await openLocalEnvironment({ root: join(workspace.root, "workspace"), env: process.env });
  const local = { command: join(ENGINES, file), args: ["${input_file}", "${output_file}"], output_file };
  const run = await runEngine({ transport: "local", ...settings, local }, { ...options, environment });
  const files: Record<string, string> = {};
  for (const path of run.result?.artifacts?.generated_files ?? []) files[path] = await environment.readFile(path);
  return { ...run, files };
}

/** Returns whether a process is still running. A zombie process is not. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

describe.concurrent.each(LANGUAGES)("a sample engine in $language", ({ language, extension, probe }) => {
  const isMissing = missing(probe);
  const sample = (title: string, run: (file: (name: string) => string) => Promise<void>): void => {
    test(title, async ({ skip }) => {
      skip(isMissing, `${language} is not installed`);
      await run((name) => `${name}.${extension}`);
    });
  };

  sample("that is good gets the conversation and gives its result [custom-local-1, custom-local-5]", async (file) => {
    const run = await runSample(file("good"), { output_file: "${output_file}" }, { input: says("Hello there.") });
    expect(run.error).toBeUndefined();
    expect(run.result).toMatchObject({ exit_code: 0, final_message: "You said: Hello there.", engine: "mine" });
    expect(run.files).toEqual({ "answer.txt": "You said: Hello there.\n" });
  });

  sample("that only prints gives a minimal result [custom-local-12]", async (file) => {
    const { result } = await runSample(file("text-only"), { response_format: "text" }, { input: says("Well?") });
    expect(result).toMatchObject({ exit_code: 0, final_message: "Looks fine to me." });
    expect(result?.transcript).toEqual(says("Well?", "Looks fine to me.").messages);
  });

  sample("that is stateful goes on by its session id [custom-session-input-8]", async (file) => {
    const input = says("one", "not its words", "two", "nor these", "three");
    const { result } = await runSample(file("stateful"), { conversation_mode: "stateful" }, { input });
    expect(result).toMatchObject({ final_message: "This is turn 3.", turns: 3 });
  });

  sample("that takes a conversation knows all of it in one call [custom-session-input-1]", async (file) => {
    const { result } = await runSample(file("multi-turn"), {}, { input: says("one", "two", "three", "four", "five") });
    expect(result).toMatchObject({ final_message: "3 asked, 2 answered", turns: 3 });
  });

  sample("that lies is told by its exit code [custom-local-13]", async (file) => {
    const { result, error } = await runSample(file("liar"));
    expect(error).toBeUndefined();
    expect(result).toMatchObject({ exit_code: 7, final_message: "All tests pass." });
  });

  sample("that is slow is stopped by its timeout [custom-errors-5, custom-errors-7]", async (file) => {
    const { result, error } = await runSample(file("slow"), { timeout_seconds: 1 });
    expect(error?.code).toBe("transport.timeout");
    expect(result?.exit_code).toBe(124);
  });

  sample("that floods is stopped at a limit [custom-result-bounds-6]", async (file) => {
    const { result, error, host } = await runSample(file("flooding"));
    expect(error?.code).toBe("transport.response_too_large");
    expect(result?.final_message).toBe("");
    expect(JSON.stringify(result).length).toBeLessThan(100_000);
    expect(host.types()).toContain("stream_delta");
  });

  sample("that leaves a process behind leaves nothing running [custom-process-3, custom-process-5]", async (file) => {
    const { result, error } = await runSample(file("orphaning"));
    expect(error).toBeUndefined();
    const pid = Number(result?.final_message);
    expect(pid).toBeGreaterThan(1);
    expect(isAlive(pid)).toBe(false);
  });

  sample(
    "that declares what is not its own gets nothing of it [custom-artifacts-5, custom-confinement-4]",
    async (file) => {
      const { result, error, host, files } = await runSample(file("path-escaping"));
      expect(error).toBeUndefined();
      expect(result?.artifacts).toEqual({
        generated_files: ["mine.txt"],
        files: [{ name: "mine.txt", path: "mine.txt" }],
      });
      expect(files).toEqual({ "mine.txt": "mine\n" });
      const warnings = host.ofType("warning").map(({ payload }) => payload.message);
      expect(warnings.length).toBeGreaterThanOrEqual(7);
      for (const warning of warnings) expect(warning).toMatch(/escapes the runtime workspace/);
    },
  );

  sample("that tells its key tells nothing [custom-masking-1, custom-masking-4, custom-masking-7]", async (file) => {
    const env = { ENGINE_KEY: "${api_key}" };
    const { result, host } = await runSample(file("secret-leaking"), { env }, { apiKey: KEY });
    expect(result).toMatchObject({
      ...{ final_message: "***REDACTED*** or ***REDACTED***", stderr: "***REDACTED***\n" },
      ...{ transcript: [{ content: "***REDACTED***" }], artifacts: { logs: "***REDACTED***" } },
    });
    const recorded = JSON.stringify([result, host.envelopes]);
    for (const secret of [KEY, Buffer.from(KEY).toString("base64"), KEY.slice(0, 9), KEY.slice(9)]) {
      expect(recorded).not.toContain(secret);
    }
  });
});
