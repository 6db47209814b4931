import { existsSync } from "node:fs";
import { cp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type MockAnswer, startMockModel } from "./mock-model.ts";
import { makeFolder, startSwitchyard, switchyard } from "./start-switchyard.ts";

const KEY = { ANTHROPIC_API_KEY: "test-key-that-is-not-real" };
/** Four shell calls. The second one waits until the test removes a file. */
const CALLS: readonly MockAnswer[] = [
  { name: "shell", arguments: { command: "echo 1 >> effects.txt" } },
  { name: "shell", arguments: { command: "echo 2 >> effects.txt; while [ -e hold ]; do sleep 0.05; done" } },
  { name: "shell", arguments: { command: "echo 3 >> effects.txt" } },
  { name: "shell", arguments: { command: "echo 4 >> effects.txt" } },
  "All is done.",
];

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 10));
}

async function effectsIn(cwd: string): Promise<string> {
  const path = join(cwd, "effects.txt");
  return existsSync(path) ? await readFile(path, "utf8") : "";
}

/** Creates a run whose process was killed in its second shell call. */
async function killedRun() {
  // Enough responses for a run that would wrongly start from the beginning.
  const { baseUrl } = await startMockModel("anthropic", [...CALLS.slice(0, 2), ...CALLS, ...CALLS]);
  const state = await makeFolder();
  const cwd = await makeFolder({ hold: "" });
  const words = ["run", "--model", "anthropic/m", "--base-url", baseUrl, "--state", state, "Do", "it."];
  const { command } = await startSwitchyard(words, { env: KEY, cwd });
  await until(async () => (await effectsIn(cwd)) === "1\n2\n");
  command.kill("SIGKILL");
  await command;
  await rm(join(cwd, "hold"));
  const folders = join(state, "runs");
  const [id = ""] = await readdir(folders);
  const resume = () => switchyard(["resume", id, "--state", state], { env: KEY });
  return { state, cwd, folder: join(folders, id), resume };
}

test("a run whose checkpoints are removed after kill -9 is refused, and no command runs twice [D2] [D4]", async () => {
  const { state, cwd, folder, resume } = await killedRun();
  const before = await readFile(join(folder, "events.jsonl"), "utf8");
  await cp(join(folder, "checkpoints"), join(state, "copy"), { recursive: true });
  for (const keepsWatermark of [true, false]) {
    await rm(join(folder, "checkpoints"), { recursive: true, force: true });
    if (!keepsWatermark) await rm(join(state, "watermarks"), { recursive: true });
    const { exitCode, stderr } = await resume();
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining(join(folder, "checkpoints"))]);
    expect(stderr).toContain("checkpoint 3 was saved, but no checkpoint is stored");
    expect(stderr).toContain("start a new run with the same task");
    expect(await effectsIn(cwd)).toBe("1\n2\n");
    expect(await readFile(join(folder, "events.jsonl"), "utf8")).toBe(before);
  }
  // With restored checkpoints, the run resumes.
  await cp(join(state, "copy"), join(folder, "checkpoints"), { recursive: true });
  expect(await resume()).toMatchObject({ exitCode: 0 });
});

test("a run whose newest checkpoint lost its last bytes is refused [D2] [D4]", async () => {
  const { cwd, state, folder, resume } = await killedRun();
  const [name = ""] = await readdir(join(folder, "checkpoints"));
  const path = join(folder, "checkpoints", name);
  const whole = await readFile(path);
  for (const cut of [2, 37, 200]) {
    await writeFile(path, whole);
    await truncate(path, (await stat(path)).size - cut);
    if (cut === 37) await rm(join(state, "watermarks"), { recursive: true });
    const { exitCode, stderr } = await resume();
    expect([cut, exitCode, stderr]).toEqual([
      cut,
      3,
      expect.stringContaining("cannot be resumed, because checkpoints in"),
    ]);
    expect(await effectsIn(cwd)).toBe("1\n2\n");
  }
});
