import { join } from "node:path";
import { secret } from "@switchyard/secrets";
import { expect, test } from "vitest";
import { executeShell, makeFolder } from "./make-task.ts";

const COMMANDS = {
  count: {
    argv: [
      "node",
      "-e",
      `console.log(JSON.stringify({ schema: "homeboy/agent-task-outcome/v1", task_id: "task-1",
      status: "succeeded", summary: process.argv.length + " argument", outputs: { asked: JSON.parse(require("fs").readFileSync(0)).runtime_command } }))`,
    ],
  },
  show: { argv: ["sh", "-c", 'echo "$SHOWN"; test -n "$SHOWN" || exit 3'], emits: "text", env_names: ["SHOWN"] },
  make: { argv: ["sh", "-c", "echo made > made.txt"], emits: "text" },
};
const PROVIDER = { capabilities: ["runtime_command_execution"], runtime_commands: COMMANDS };

async function call(command: Readonly<Record<string, unknown>>, more: object = {}) {
  const root = await makeFolder();
  const request = { workspace: { root }, runtime_command: { runtime_package: "sh", ...command } };
  return { root, outcome: await executeShell({ does: "exit 1", provider: PROVIDER, request, ...more }) };
}

test("a package command is selected by its id; it receives its arguments unchanged, without a shell [runtime-runtime-command-1] [runtime-runtime-command-2] [runtime-runtime-command-5]", async () => {
  const args = { text: "$(touch x) `y` 'z' {{runtime_path}}", list: [1, null] };
  const recipe = { pack: "p", name: "n" };
  const { outcome } = await call({ command_id: "count", args, recipe });
  expect(outcome).toMatchObject({ status: "succeeded", summary: "1 argument" });
  expect(outcome.outputs?.["asked"]).toMatchObject({ command_id: "count", args, recipe });
});

test("a command with free-form output is judged by its exit code, and gets its declared variables [runtime-runtime-command-3]", async () => {
  const secrets = { SHOWN: secret("a-value-of-the-test"), OTHER: secret("another") };
  const shown = await call({ command_id: "show", env_names: ["SHOWN"] }, { secrets });
  expect(shown.outcome).toMatchObject({ status: "succeeded", summary: "***REDACTED***", outputs: { exit_code: 0 } });
  const without = await call({ command_id: "show" }, { secrets });
  const failure = { failure_classification: "execution_failed", outputs: { exit_code: 3 } };
  expect(without.outcome).toMatchObject({ status: "failed", ...failure });
  const undeclared = await call({ command_id: "show", env_names: ["OTHER"] }, { secrets });
  expect(undeclared.outcome).toMatchObject({ status: "failed", failure_classification: "invalid_input" });
});

test("workspace and artifacts of the command are those of the request", async () => {
  const root = await makeFolder();
  const command = { command_id: "make", workspace: { root } };
  const { outcome } = await call({ ...command, artifacts: [{ name: "made", path: "made.txt", required: true }] });
  expect(outcome.artifacts).toMatchObject([{ name: "made", path: "made.txt" }]);
  const missing = await call({
    ...command,
    artifacts: [{ name: "other", path: join("not", "there"), required: true }],
  });
  expect(missing.outcome).toMatchObject({ status: "failed", failure_classification: "execution_failed" });
});

test("unknown commands, other packages and providers without the capability are rejected [runtime-runtime-command-4]", async () => {
  for (const [command, expected] of [
    [{ command_id: "toString" }, /has count, show, make/u],
    [{ command_id: "count", runtime_package: "other" }, /runtime_package is other/u],
    [{ command_id: "count", runtime_package: { id: "sh", version: "9" } }, /version 9/u],
    [{ command_id: "count", args: "text" }, /runtime_command\.args/u],
    [{ command_id: "count", env_names: ["A-B"] }, /not the name of an environment variable/u],
  ] as const) {
    const { outcome } = await call(command);
    expect(outcome).toMatchObject({ status: "failed", failure_classification: "invalid_input" });
    expect(outcome.summary).toMatch(expected);
  }
  const { outcome } = await call({ command_id: "count" }, { provider: { ...PROVIDER, capabilities: [] } });
  expect(outcome).toMatchObject({ failure_classification: "capability_missing" });
});
