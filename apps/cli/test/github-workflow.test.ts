import { chmod, readFile, writeFile } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { makeFolder } from "./start-switchyard.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
const WORKFLOW = await readFile(join(ROOT, "examples/compare-engines/github-workflow.yml"), "utf8");

/** Runs the script of a step with a `switchyard` that prints its arguments and exits with a code. */
async function runStep(name: string, exitCode: number, hasBase = true) {
  const folder = await makeFolder({ switchyard: `#!/bin/sh\necho "switchyard $*"\nexit ${exitCode}\n`, summary: "" });
  await chmod(join(folder, "switchyard"), 0o755);
  if (hasBase) await execa("mkdir", ["base"], { cwd: folder });
  if (hasBase) await writeFile(join(folder, "base/results.json"), "{}");
  const steps: readonly { name?: string; run?: string }[] = parse(WORKFLOW).jobs.evaluate.steps;
  const script = steps.find((step) => step.name === name)?.run ?? "exit 99";
  const env = { PATH: `${folder}${delimiter}${process.env["PATH"]}`, GITHUB_STEP_SUMMARY: join(folder, "summary") };
  // GitHub runs scripts of a step with these options.
  const run = await execa("bash", ["-e", "-c", script], { cwd: folder, env, reject: false });
  return { exitCode: run.exitCode, stdout: run.stdout, summary: await readFile(join(folder, "summary"), "utf8") };
}

test("the example workflow accepts failing cases, stops on errors, and fails on a regression", async () => {
  expect((await runStep("Evaluate", 0)).exitCode).toBe(0);
  expect((await runStep("Evaluate", 1)).exitCode).toBe(0);
  expect((await runStep("Evaluate", 3)).exitCode).not.toBe(0);
  const gate = await runStep("Gate", 5);
  expect(gate).toMatchObject({
    exitCode: 5,
    stdout: expect.stringContaining("switchyard eval compare base new --gate --max-cost-increase 30%"),
    summary: expect.stringMatching(/^```\nswitchyard eval compare .*\n```\n$/),
  });
  expect((await runStep("Gate", 0)).exitCode).toBe(0);
  expect(await runStep("Gate", 5, false)).toMatchObject({ exitCode: 0, summary: "" });
});

test("the guide shows the example workflow", async () => {
  expect(await readFile(join(ROOT, "docs/guides/github-actions.md"), "utf8")).toContain(WORKFLOW);
});
