import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { type MockAnswer, startMockModel } from "./mock-model.ts";
import { makeFolder, switchyard } from "./start-switchyard.ts";

export const KEY = { ANTHROPIC_API_KEY: "test-key-that-is-not-real" };

/** Creates a git repository with one commit. */
export async function makeRepository(): Promise<{ cwd: string; git: (...argv: string[]) => Promise<string> }> {
  const cwd = await makeFolder({ "a.txt": "one\ntwo\nthree\n", ".gitignore": "*.log\n" });
  const git = async (...argv: string[]): Promise<string> => {
    const identity = ["-c", "user.name=T", "-c", "user.email=t@example.org"];
    return (await execa("git", ["-C", cwd, ...identity, ...argv])).stdout;
  };
  await git("init", "--quiet", "--initial-branch=main");
  await git("add", "--all");
  await git("commit", "--quiet", "--message=first");
  return { cwd, git };
}

export async function runIn(cwd: string, answers: readonly MockAnswer[], ...more: readonly string[]) {
  const { baseUrl } = await startMockModel("anthropic", answers);
  const state = join(await makeFolder(), "what is kept");
  const words = ["run", "--model", "anthropic/m", "--base-url", baseUrl, "--state", state, ...more, "go"];
  const ended = await switchyard(words, { cwd, env: KEY });
  const [runId = ""] = await readdir(join(state, "runs")).catch(() => []);
  return { ...ended, state, runId };
}

export const WRITES: MockAnswer = {
  name: "shell",
  arguments: { command: "echo 2 > b.txt && sed -i s/two/2/ a.txt && ls" },
};
