import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { expect, onTestFinished, test } from "vitest";
import {
  createRuntimeRegistry,
  type ExecuteTaskOptions,
  type ExecutorProvider,
  executeTask,
  type TaskOutcome,
} from "../index.ts";

interface Trial {
  /** Program that Node.js runs as the provider's command. */
  readonly script: string;
  readonly provider?: Partial<ExecutorProvider>;
  readonly secretEnv?: readonly string[];
  readonly onDiagnostic?: ExecuteTaskOptions["onDiagnostic"];
}

const MATERIALIZATION = { cwd: "request_workspace", write_scope: "none" } as const;

/** Executes a task with a runtime package whose command runs the given script. */
async function execute({ script, provider, secretEnv, onDiagnostic }: Trial): Promise<TaskOutcome> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "switchyard-runtimes-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const invocation = { argv: [process.execPath, "-e", script] };
  const agent_task_executors = [{ id: "one", backend: "one", invocation, ...provider }];
  const manifest = { schema: "homeboy/agent-runtime-manifest/v1", id: "one", agent_task_executors };
  const runtime = { id: "one", folder, origin: "project" as const, manifest, document: manifest, warnings: [] };
  const request = {
    ...{ schema: "homeboy/agent-task-request/v1", task_id: "task-1", instructions: "Say hello." },
    ...{ executor: { backend: "one", secret_env: secretEnv }, workspace: { root: folder } },
  };
  return executeTask(request, {
    selected: createRuntimeRegistry([runtime]).select({ backend: "one" }),
    openFolder: (root) => openLocalEnvironment({ root, env: process.env }),
    onDiagnostic,
  });
}

const ANNOUNCED = ["wE3rT6yU8i", "QpL1kJ4hG7fD0sAz"].join("");

test("streamed output contains no announced credential, however it is split [runtime-secrets-10]", async () => {
  const output = `start\rpassword=${ANNOUNCED}\nhttps://h/?access_token=${ANNOUNCED} {"auth":"${ANNOUNCED}"}\nlast token: ${ANNOUNCED}`;
  const script = `for (const letter of ${JSON.stringify(output)}) require("fs").writeSync(2, letter); process.exit(7);`;
  const lines: string[] = [];
  const outcome = await execute({ script, onDiagnostic: (text) => lines.push(text) });
  expect(lines.join("")).toBe(
    'start\rpassword=[REDACTED]\nhttps://h/?access_token=[REDACTED] {"auth":"[REDACTED]"}\nlast token: [REDACTED]',
  );
  expect(JSON.stringify(outcome)).not.toContain(ANNOUNCED);
});

test("output without line ends is streamed, but a multi-line key is not [runtime-secrets-10]", async () => {
  const block = ["-----BEGIN", "PRIVATE KEY-----"].join(" ");
  const output = `${"working ".repeat(10_000)}\n${block}\n${`${ANNOUNCED}\n`.repeat(3)}${block.replace("BEGIN", "END")}\ndone\n`;
  const script = `require("fs").writeSync(2, ${JSON.stringify(output)});`;
  const lines: string[] = [];
  await execute({ script, onDiagnostic: (text) => lines.push(text) });
  const text = lines.join("");
  expect(lines.length).toBeGreaterThan(1);
  expect(text.startsWith("working ".repeat(10_000))).toBe(true);
  expect(text.endsWith("done\n")).toBe(true);
  expect(text).not.toContain(ANNOUNCED.slice(0, 8));
});

test("the tail of standard error contains no credential whose name was cut off [runtime-secrets-10]", async () => {
  for (const tailLength of [16_384 - 5, 16_384 - 10, 16_384 - 20]) {
    const script = `process.stderr.write("token=${ANNOUNCED}" + ".".repeat(${tailLength})); process.exitCode = 7;`;
    expect(JSON.stringify(await execute({ script }))).not.toContain(ANNOUNCED.slice(-5));
  }
});

test("errors and file names contain no credential [runtime-secrets-10]", async () => {
  const refused = await execute({ script: "", secretEnv: [`token=${ANNOUNCED}`] });
  expect(refused.status).toBe("failed");
  const outcome = { schema: "homeboy/agent-task-outcome/v1", task_id: "task-1", status: "succeeded", summary: "done" };
  const print = `process.stdout.write(JSON.stringify(${JSON.stringify({ ...outcome, diagnostics: [], artifacts: [], metadata: {} })}));`;
  const script = `require("fs").writeFileSync("token=${ANNOUNCED}", "x"); ${print}`;
  const written = await execute({ script, provider: { workspace_materialization: MATERIALIZATION } });
  expect(written.diagnostics.map(({ class: kind }) => kind)).toContain("agent_task.write_outside_scope");
  for (const one of [refused, written]) expect(JSON.stringify(one)).not.toContain(ANNOUNCED);
});
