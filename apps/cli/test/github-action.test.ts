import { chmod, readFile, rm } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { BIN, makeFolder } from "./start-switchyard.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
const SCRIPT = join(ROOT, "scripts/github-action.mjs");

const ENGINE = `engine:
  name: worker
  custom:
    transport: local
    local:
      command: ${process.execPath}
      args: [agent.cjs, "\${input_file}", "\${output_file}"]
      output_file: \${output_file}
`;

/** Simulated agent that repeats its prompt, surrounded by GitHub workflow commands, and changes a file. */
const AGENT = `
const fs = require("node:fs");
const [inputFile, outputFile] = process.argv.slice(2);
const asked = JSON.parse(fs.readFileSync(inputFile, "utf8")).messages.at(-1).content;
console.error("::set-output name=status::taken");
console.log("::add-mask::completed");
fs.writeFileSync("made.txt", "made\\n");
const exitCode = asked.includes("fail") ? 1 : 0;
fs.writeFileSync(outputFile, JSON.stringify({ exit_code: exitCode, final_message: asked }));
`;

/** Result of a workflow step. */
interface Step {
  readonly exitCode: number | undefined;
  readonly log: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
}

/** Parses the step outputs like GitHub does. */
function readOutputs(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  const lines = text.split("\n");
  while (lines.length > 1) {
    const [name = "", mark = ""] = (lines.shift() ?? "").split("<<");
    const end = lines.indexOf(mark);
    outputs[name] = lines
      .splice(0, end + 1)
      .slice(0, -1)
      .join("\n");
  }
  return outputs;
}

/** Returns the default value of an input of action.yml. Returns an empty text if the input has no default. */
async function defaultOf(input: string): Promise<string> {
  const text = await readFile(join(ROOT, "action.yml"), "utf8");
  return new RegExp(`^ {2}${input}:\\n {4}description: .*\\n {4}default: (\\S+)$`, "m").exec(text)?.[1] ?? "";
}

/** Runs the step of action.yml with these inputs, like a runner does. */
async function runStep(inputs: Readonly<Record<string, string>>, isInstalled = true): Promise<Step> {
  const folder = await makeFolder({ "engine.yaml": ENGINE, "agent.cjs": AGENT });
  const runner = await makeFolder({
    output: "",
    summary: "",
    switchyard: `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`,
  });
  await chmod(join(runner, "switchyard"), 0o755);
  if (!isInstalled) await rm(join(runner, "switchyard"));
  const named = Object.entries(inputs).map(([name, value]) => [`SWITCHYARD_ACTION_${name}`, value]);
  const { exitCode, all } = await execa(process.execPath, [SCRIPT], {
    cwd: folder,
    extendEnv: false,
    reject: false,
    all: true,
    env: {
      PATH: `${runner}${delimiter}${process.env["PATH"] ?? ""}`,
      HOME: runner,
      RUNNER_TEMP: runner,
      GITHUB_OUTPUT: join(runner, "output"),
      GITHUB_STEP_SUMMARY: join(runner, "summary"),
      SWITCHYARD_ACTION_ENGINE: "./engine.yaml",
      SWITCHYARD_ACTION_ENV: await defaultOf("env"),
      ...Object.fromEntries(named),
    },
  });
  const outputs = readOutputs(await readFile(join(runner, "output"), "utf8"));
  const read = async (path: string | undefined): Promise<string> => (path ? readFile(path, "utf8") : "");
  return {
    exitCode,
    log: String(all),
    outputs: { ...outputs, diffText: await read(outputs["diff"]), reportText: await read(outputs["report"]) },
    summary: await readFile(join(runner, "summary"), "utf8"),
  };
}

test("a task is run, and reported as outputs, a summary and files", async () => {
  const { exitCode, outputs, summary, log } = await runStep({ TASK: "Do it." });
  expect([exitCode, log]).toEqual([0, log]);
  expect(outputs).toMatchObject({ status: "completed", message: "Do it.", cost: "" });
  expect(outputs["diffText"]).toContain("+made");
  expect(JSON.parse(outputs["reportText"] ?? "")).toMatchObject({
    ...{ runId: outputs["run-id"], engine: "worker", environment: "local" },
  });
  expect(summary).toContain("| State | completed |");
  expect(summary).toContain("+made");
});

test("hostile tasks and output give no orders, to the shell, the command or GitHub", async () => {
  const task = "--help $(touch taken) `touch taken`; {{ secrets.X }}\n::error::taken\n````\nstatus<<x\ntaken\n# fail";
  const { exitCode, outputs, summary, log } = await runStep({ TASK: task });
  expect(exitCode).toBe(1);
  expect(outputs).toMatchObject({ status: "failed", message: task });
  expect(outputs["diffText"]).not.toContain("taken");
  // The agent's output is in a section in which GitHub ignores workflow commands.
  const [, mark = ""] = /^::stop-commands::(\S+)$/m.exec(log) ?? [];
  const [before = "", inside = "", behind = ""] = log.split(mark);
  expect(before).not.toContain("taken");
  expect(behind).not.toContain("set-output");
  expect(`${inside}${mark}`.length).toBeGreaterThan(30);
  expect(behind).toMatch(/^::error title=Switchyard::The run \S+ ended as failed\.$/m);
  expect(summary).toContain("`````\n");
});

test("the outcomes that fail the step are configurable, and an invalid outcome is an error", async () => {
  expect((await runStep({ TASK: "fail", FAIL_ON: "error" })).exitCode).toBe(0);
  expect((await runStep({ TASK: "fail", FAIL_ON: "never" })).exitCode).toBe(0);
  const refused = await runStep({ TASK: "x", ARGUMENTS: "--no-such-option\n" });
  expect(refused.exitCode).toBe(2);
  expect(refused.outputs["status"]).toBeUndefined();
  expect(refused.log).toContain("The run did not begin (exit code 2)");
  expect((await runStep({ TASK: "x", TIMEOUT: "5m", ARGUMENTS: "--max-turns\n3" })).exitCode).toBe(0);
});

test("a command that is not installed is reported as an annotation for GitHub", async () => {
  const { exitCode, log } = await runStep({ TASK: "x" }, false);
  expect(exitCode).toBe(2);
  const [, mark = ""] = /^::stop-commands::(\S+)$/m.exec(log) ?? [];
  expect(log.slice(log.indexOf(`\n::${mark}::\n`))).toMatch(
    /^::error title=Switchyard::The command switchyard did not start: .*ENOENT$/m,
  );
});

test("the action passes each input as a variable, and never inserts one into a script", async () => {
  const action = await readFile(join(ROOT, "action.yml"), "utf8");
  const script = await readFile(SCRIPT, "utf8");
  const declared = action.slice(action.indexOf("inputs:"), action.indexOf("\noutputs:"));
  const inputs = Array.from(declared.matchAll(/^ {2}([a-z-]+):$/gm), ([, name = ""]) => name);
  expect(inputs).toContain("task");
  for (const name of inputs.filter((one) => one !== "version")) {
    const variable = name.toUpperCase().replaceAll("-", "_");
    expect(action).toContain(`SWITCHYARD_ACTION_${variable}: \${{ inputs.${name} }}`);
    expect(script).toContain(`"${variable}"`);
  }
  for (const [line] of action.matchAll(/^ +run: .*$/gm)) expect(line).not.toContain("${{");
  const outputs = Array.from(action.matchAll(/steps\.run\.outputs\.([a-z-]+)/g), ([, name]) => name);
  expect(outputs).toEqual(["status", "run-id", "message", "cost", "report", "diff"]);
});
