import { secret } from "@switchyard/secrets";
import { expect, test } from "vitest";
import type { ExecutorProvider, TaskOutcome } from "../src/index.ts";
import { executeShell, makeFolder } from "./workspace/make-task.ts";

const TOKEN = "a-token-of-the-test-8";
const MASKED = "***REDACTED***";
const EXECUTOR = { backend: "sh", secret_env: ["ACME_KEY"] };

/** Executes a task whose command line receives a secret in `ACME_KEY`. */
async function execute(command: string, provider: Partial<ExecutorProvider> = {}): Promise<TaskOutcome> {
  const outcome = await executeShell({
    ...{ does: command, provider, secrets: { ACME_KEY: secret(TOKEN) } },
    request: { executor: EXECUTOR, workspace: { root: await makeFolder() }, limits: { timeout_ms: 2_000 } },
  });
  expect(JSON.stringify(outcome)).not.toContain(TOKEN);
  return outcome;
}

test("a secret in the name of a file outside the write scope is masked in the diagnostic [runtime-secrets-6]", async () => {
  const outcome = await execute('touch "of-$ACME_KEY"', { workspace_materialization: { write_scope: "none" } });
  const message = expect.stringContaining(`of-${MASKED}`);
  expect(outcome).toMatchObject({
    ...{ status: "failed", failure_classification: "policy_denied" },
    diagnostics: [{}, { message, data: { paths: [`of-${MASKED}`] } }],
  });
});

test("a secret in the artifacts of a command that times out is masked [runtime-secrets-6]", async () => {
  const artifacts = [
    { id: "a", kind: "log", name: `of ${TOKEN}` },
    { id: "b", kind: "log", path: `${TOKEN}.log` },
  ];
  const document = { schema: "homeboy/agent-task-outcome/v1", task_id: "task-1", status: "succeeded", artifacts };
  const command = `printf %s '${JSON.stringify(document)}'; sleep 300`;
  expect(await execute(":", { command })).toMatchObject({
    ...{ status: "timeout", artifacts: [{ id: "a", name: `of ${MASKED}` }] },
    diagnostics: [{}, { message: expect.any(String), data: { path: `${MASKED}.log`, reason: "missing" } }],
  });
});

test("a secret in the error of an environment that cannot be opened is masked [runtime-secrets-6]", async () => {
  const outcome = await executeShell({
    ...{ does: ":", secrets: { ACME_KEY: secret(TOKEN) } },
    request: { executor: EXECUTOR, workspace: { root: await makeFolder() } },
    openFolder: () => Promise.reject(new Error(`The machine refused ${TOKEN}.`)),
  });
  expect(outcome).toMatchObject({
    ...{ status: "provider_error", summary: `The machine refused ${MASKED}.` },
    diagnostics: [{ message: `The machine refused ${MASKED}.` }],
  });
});
