import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { openLocalEnvironment } from "@switchyard/environment/local";
import {
  type EnvironmentSetting,
  type EnvironmentSubject,
  environmentContract,
  type ScriptStep,
  scriptedClient,
  text,
  toolCall,
} from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { folderEnvironment } from "../src/folder-environment/folder-environment.ts";
import { createProfile, Session, type ToolResultsTurn } from "../src/index.ts";
import { MemoryEnvironment } from "./environments/memory-environment.ts";
import { noting, readOnly } from "./environments/wrapped-environments.ts";
import { openWorkspace } from "./open-workspace.ts";
import { collect } from "./run-session.ts";

const run = promisify(execFile);

/** Opens a subfolder of a local environment as a separate environment. */
async function openFolder({ variables }: EnvironmentSetting): Promise<EnvironmentSubject> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "switchyard-folder-")));
  await mkdir(join(root, "inner folder"));
  const env = { PATH: process.env["PATH"], HOME: root, ...variables };
  const base = await openLocalEnvironment({ root, env, killGraceMs: 300 });
  return {
    environment: folderEnvironment(base, "inner folder"),
    killGraceMs: 300,
    toleranceMs: 40_000,
    host: async (script) => (await run("sh", ["-c", script], { cwd: join(root, "inner folder") })).stdout,
    dispose: async () => {
      await base[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}

describe("a folder of an environment satisfies the contract of environments [loop-4.3-5] [loop-9.4-1]", () => {
  // Cases that do not apply to a folder environment, because its base environment is responsible: disposal, links to
  // other parts of the workspace, and permissions of the user.
  const theirs = /closed-|dispose-|outside-(secret|glob)|links-out-|links-removed|swap-|sockets|devices|forbidden/;
  // The folder environment passes commands, contents and expressions on to its base environment, with other paths. One
  // case per option is sufficient here, because all cases run for the base environment.
  const handedOn = new RegExp(
    [
      "timeout-(many|once|name|grace|ignored|daemon|session|closed-pipes|none|background|pipeline)|abort-after",
      "output-(fast|endless|exact|arrives|split|bounded-characters|invalid|listener)|shell-(bash|language|apart)",
      "spawn-(many|cancel|back-pressure|unread|kill-unread|every-byte|input-of|close-of|half-close)|slow-command",
      "spawn-(dispose|signal|last-byte)|clean-exit|stdin-large|bytes-large|write-(many|at-once|whole)|-catastrophic",
      "commands-at-once|calls-at-once|grep-(dashes|limit|encodings|binary|case|long-lines)",
      "variables-(all|core|none|over|secret)|exec-(many|not|missing|signals)",
    ].join("|"),
  );
  const cases = environmentContract.filter(({ id }) => !theirs.test(id) && !handedOn.test(id));
  for (const one of cases) {
    test.concurrent(`${one.title} (${one.id})`, ({ skip }) => one.run(openFolder, { onSkip: skip, timeoutMs: 60_000 }));
  }
});

type Result = ToolResultsTurn["results"][number];

/** Returns the results of the tools of a model family when a model calls them one after another. */
async function resultsIn(
  environment: ExecutionEnvironment,
  family: string,
  steps: readonly ScriptStep[],
): Promise<readonly Result[]> {
  const client = scriptedClient([...steps, text("done")]);
  const session = new Session({ profile: createProfile(family, { model: "any" }), environment, client });
  await collect(session.submit("go"));
  expect(session.failure).toBeUndefined();
  await session.close();
  return session.history.flatMap((turn) => (turn.type === "tool_results" ? turn.results : []));
}

describe("a session in an environment that a consumer wrote", () => {
  test("all tools work there [loop-9.4-6] [loop-4.3-5]", async () => {
    await using environment = new MemoryEnvironment();
    const patch = "*** Begin Patch\n*** Update File: src/b.txt\n@@\n-b\n+B\n*** End Patch";
    const patched = await resultsIn(environment, "openai", [
      toolCall("write_file", { file_path: "src/b.txt", content: "b\n" }),
      toolCall("apply_patch", { patch }),
    ]);
    expect(patched.map(({ isError }) => isError)).toEqual([false, false]);
    const results = await resultsIn(environment, "gemini", [
      toolCall("write_file", { file_path: "src/a.txt", content: "one\ntwo\n" }),
      toolCall("edit_file", { file_path: "src/a.txt", old_string: "two", new_string: "2" }),
      toolCall("read_file", { file_path: "src/a.txt" }),
      toolCall("read_many_files", { paths: ["src/*.txt"] }),
      toolCall("list_dir", { path: "src" }),
      toolCall("grep", { pattern: "^B" }),
      toolCall("glob", { pattern: "**/*.txt" }),
      toolCall("shell", { command: "echo emulated" }),
    ]);
    expect(results.filter(({ isError }) => isError)).toEqual([]);
    const contents = results.map(({ content }) => content);
    expect(contents[2]).toBe("1 | one\n2 | 2");
    expect(contents[3]).toContain("1 | B");
    expect(contents[4]).toContain("a.txt");
    expect(contents[5]).toBe("src/b.txt:1:B");
    expect(contents[6]).toBe("src/a.txt\nsrc/b.txt");
    expect(contents[7]).toContain("emulated\n[Exit code: 0.");
  });

  test("a failure of the tool is an error for the model [loop-9.4-6]", async () => {
    await using environment = new MemoryEnvironment();
    const [result] = await resultsIn(environment, "openai", [toolCall("shell", { command: "make all" })]);
    expect(result).toMatchObject({ isError: true, content: expect.stringContaining("make: not found") });
  });
});

test("environments are wrapped, and wrappers wrapped again [loop-4.4-1]", async () => {
  await using workspace = await openWorkspace({ "a.txt": "kept\n" });
  const notes: string[] = [];
  const wrapped = readOnly(noting(workspace.environment, notes));
  const results = await resultsIn(wrapped, "anthropic", [
    toolCall("read_file", { file_path: "a.txt" }),
    toolCall("write_file", { file_path: "a.txt", content: "changed\n" }),
    toolCall("shell", { command: "cat a.txt; exit 3" }),
  ]);
  expect(results.map(({ isError }) => isError)).toEqual([false, true, true]);
  expect(results[1]?.content).toContain("Writing is disabled in this environment.");
  expect(results[2]?.content).toContain("kept\n[Exit code: 3.");
  expect(await workspace.read("a.txt")).toBe("kept\n");
  expect(notes).toEqual(["exec: cat a.txt; exit 3", "exit: 3"]);
});
