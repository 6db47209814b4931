import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { expect, onTestFinished, test } from "vitest";
import { takeSnapshot } from "../src/index.ts";

const execute = promisify(execFile);

const TOOLS = ["sh", "git", "find", "xargs", "stat", "wc", "tr", "sed", "sort", "paste", "cut", "comm", "grep", "cat"];
const MORE = ["mkdir", "cksum", "base64", "head", "tee", "touch", "rm", "mv", "chmod", "awk"];

/** Creates a folder for `PATH` with links to only some tools. */
async function linkTools(folder: string, names: readonly string[]): Promise<string> {
  await mkdir(folder);
  for (const name of names) {
    const { stdout } = await execute("sh", ["-c", 'command -v "$1"', "sh", name]);
    await symlink(stdout.trim(), join(folder, name));
  }
  return folder;
}

test("without a required tool, a snapshot fails and names the tool", async () => {
  const folder = await mkdtemp(join(tmpdir(), "switchyard-tools-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const root = join(folder, "root");
  await mkdir(root);
  await writeFile(join(root, "a.txt"), "a\n");
  await execute("git", ["init", "--quiet", root]);
  const take = async (name: string, tools: readonly string[]) => {
    const path = await linkTools(join(folder, name), tools);
    await using environment = await openLocalEnvironment({ root, env: { PATH: path, HOME: folder } });
    return await takeSnapshot(environment, { scratch: join(folder, `${name}-scratch`) });
  };
  expect(await take("all", [...TOOLS, ...MORE])).toBeDefined();
  // Some versions of BusyBox have no cksum.
  const withoutCksum = [...TOOLS, ...MORE].filter((name) => name !== "cksum");
  expect(await take("no-cksum", withoutCksum)).toBeDefined();
  const withoutAwk = [...TOOLS, ...MORE].filter((name) => name !== "awk");
  await expect(take("some", withoutAwk)).rejects.toThrow("the command awk is missing");
});
