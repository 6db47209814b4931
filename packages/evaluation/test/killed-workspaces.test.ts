import { spawnSync } from "node:child_process";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createProcessOwner } from "@switchyard/process-owner";
import { expect, test } from "vitest";
import { openTemporaryWorkspaces } from "../src/index.ts";
import { engineOf, evaluate, makeFolder } from "./evaluate.ts";

/** Returns the token of a process that has ended on this machine: another one than this, with the same boot. */
function deadToken(): string {
  const { pid } = spawnSync("true");
  return createProcessOwner().token.replace(/^\d+/u, String(pid));
}

/** Creates workspaces: of a killed process, of a living one, of another machine, and two without a mark. */
async function makeWorkspaces(folder: string): Promise<void> {
  for (const name of ["killed", "killed-judge", "live", "foreign", "mine"]) {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, "file"), "x");
  }
  await writeFile(join(folder, "killed.owner"), deadToken());
  await writeFile(join(folder, "killed-judge.owner"), deadToken());
  await writeFile(join(folder, "live.owner"), createProcessOwner().token);
  await writeFile(join(folder, "foreign.owner"), "1-2-00000000-00000000");
  await writeFile(join(folder, "notes.owner"), "I own this.");
}

const KEPT = ["foreign", "foreign.owner", "live", "live.owner", "mine", "notes.owner"];

test("the next start removes workspaces of a killed evaluation, and nothing of users, living runs or other machines", async () => {
  const output = await makeFolder();
  await makeWorkspaces(join(output, "workspaces"));
  const seen: string[][] = [];
  const engine = engineOf(async () => {
    seen.push(await readdir(join(output, "workspaces")));
    return "done";
  });
  const yaml = "engines: [e]\ncases: [{ id: a, prompt: x, assert: [{ contains: nothing }] }]";
  const { results } = await evaluate(yaml, { e: engine }, { output });
  const run = results.trials[0]?.run_id ?? "";
  // While it runs, the workspace is marked. It is kept without a mark, because the trial failed.
  expect(seen).toEqual([[...KEPT, run, `${run}.owner`].sort()]);
  expect((await readdir(join(output, "workspaces"))).sort()).toEqual([...KEPT, run].sort());
  await evaluate(yaml, { e: engine }, { output, resume: true });
  expect((await readdir(join(output, "workspaces"))).sort()).toEqual([...KEPT, run].sort());
});

test("workspaces of a killed sandboxed evaluation are removed from the temporary folder", async () => {
  const temporary = await makeFolder();
  await makeWorkspaces(join(temporary, "switchyard-eval-aaaaaa"));
  await mkdir(join(temporary, "switchyard-eval-bbbbbb/killed"), { recursive: true });
  await writeFile(join(temporary, "switchyard-eval-bbbbbb/killed.owner"), deadToken());
  await makeWorkspaces(join(temporary, "other"));
  const folder = await openTemporaryWorkspaces(temporary);
  expect((await readdir(temporary)).map((name) => join(temporary, name)).sort()).toEqual(
    [folder, join(temporary, "other"), join(temporary, "switchyard-eval-aaaaaa")].sort(),
  );
  expect((await readdir(join(temporary, "switchyard-eval-aaaaaa"))).sort()).toEqual(KEPT);
  expect(await readdir(join(temporary, "other"))).toContain("killed");
});
