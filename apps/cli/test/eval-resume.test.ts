import { appendFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder, startSwitchyard, switchyard } from "./start-switchyard.ts";

/** Records the start of each run, waits in the fourth one, and gives the wrong answer in the case `wrong`. */
const AGENT = `#!/bin/sh
case_id=$(sed -n 's/.*"case_id": *"\\([^"]*\\)".*/\\1/p' "$1")
echo "$case_id" >> "$2"
if [ "$(wc -l < "$2")" -eq 4 ]; then while [ -e "$3" ]; do echo waiting > "$3"; sleep 0.05; done; fi
if [ "$case_id" = wrong ]; then echo no; else echo yes; fi
`;

const EVAL = `
name: resumed
engines: [engine.yaml]
cases:
  - { id: one, prompt: x, assert: [{ contains: yes }] }
  - { id: wrong, prompt: x, assert: [{ contains: yes }] }
  - { id: two, prompt: x, assert: [{ contains: yes }] }
`;

/** Prepares an evaluation whose engine waits in its fourth run while the file `gate` exists. */
async function prepare() {
  const cwd = await makeFolder({ "agent.sh": AGENT, "eval.yaml": EVAL });
  const [log, gate] = [join(cwd, "starts.log"), join(cwd, "gate")];
  const local = `{ command: sh, args: ["${join(cwd, "agent.sh")}", "\${input_file}", "${log}", "${gate}"] }`;
  const engine = `engine: { name: steady, custom: { transport: local, response_format: text, local: ${local} } }`;
  await writeFile(join(cwd, "engine.yaml"), engine);
  const output = join(await makeFolder(), "out");
  const words = ["eval", "eval.yaml", "--output", output];
  return {
    ...{ cwd, output, gate, words },
    starts: async (): Promise<string[]> => (await readFile(log, "utf8").catch(() => "")).split("\n").filter(Boolean),
    run: (...more: string[]) => switchyard([...words, ...more], { cwd }),
  };
}

/** Reads the results without the fields that differ between any two evaluations: run ids and times. */
async function stableResults(output: string): Promise<unknown> {
  const volatile = new Set(["run_id", "run_folder", "workspace", "duration_ms", "median_duration_ms"]);
  const text = await readFile(join(output, "results.json"), "utf8");
  return JSON.parse(text, (name, value: unknown) => (volatile.has(name) || name.endsWith("ed_at") ? undefined : value));
}

async function loggedLines(output: string): Promise<string[]> {
  return (await readFile(join(output, "results.jsonl"), "utf8")).split("\n").filter(Boolean);
}

test("after kill -9, an evaluation is resumed and extended without repeating runs, and ends like an uninterrupted one", async () => {
  const killed = await prepare();
  await writeFile(killed.gate, "");
  const { command } = await startSwitchyard([...killed.words, "--iterations", "2"], { cwd: killed.cwd });
  await expect.poll(() => readFile(killed.gate, "utf8")).toBe("waiting\n");
  command.kill("SIGKILL");
  await command;
  const finished = (await loggedLines(killed.output)).slice(1);
  expect(finished).toHaveLength(3);
  // A kill may also come while a line is written.
  await appendFile(join(killed.output, "results.jsonl"), finished[0]?.slice(0, 40) ?? "");
  await rm(killed.gate);

  const resumed = await killed.run("--resume", "--iterations", "2");
  expect(resumed).toMatchObject({ exitCode: 1, stderr: "" });
  // Only the run that was cut off started again.
  expect(await killed.starts()).toHaveLength(6 + 1);

  // More iterations run only what is new.
  const extended = await killed.run("--resume", "--iterations", "3");
  expect(extended.stdout).toContain("6 of these runs are already complete.");
  expect(await killed.starts()).toHaveLength(9 + 1);

  const whole = await prepare();
  expect(await whole.run("--iterations", "3")).toMatchObject({ exitCode: 1 });
  expect(await stableResults(killed.output)).toEqual(await stableResults(whole.output));
  expect(await readdir(join(killed.output, "runs"))).toHaveLength(9 + 1);
});
