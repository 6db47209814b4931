import assert from "node:assert/strict";
import type { CaseBody } from "../contract/define-contract.ts";
import { assertEnded, assertNotRun, diagnosticOf, isMap, type RuntimeBench, requestOf } from "./runtime-bench.ts";

const VALUE = "correct-horse-battery-7";
const NEEDS = { secret_requirements: [{ name: "ACME_TOKEN", purpose: "Calls." }] };
const HAS = { ACME_TOKEN: VALUE };
const CONDITIONAL = {
  secret_env_requirements: [
    { env: "ACME_KEY", when: { any: [{ path: "executor.config.provider", equals: "acme" }, { path: "provider" }] } },
  ],
};

/**
 * Conformance cases for secrets. Manifests and requests contain only the names of secrets, a command receives the
 * values as environment variables, and no outcome contains a value.
 */
export const secretCases: readonly CaseBody<RuntimeBench>[] = [
  {
    id: "runtime/secret-missing",
    requirement: ["runtime-secrets-2", "runtime-secrets-3"],
    title:
      "Fails before the command starts if a required secret is missing, and names it; secrets are required by default",
    async check(bench) {
      const run = await bench.run({ provider: NEEDS });
      assertEnded(run, "failed", "invalid_input");
      assert.match(diagnosticOf(run, "agent_task.secret_env_missing"), /ACME_TOKEN/u);
      assertNotRun(run);
    },
  },
  {
    id: "runtime/secret-optional",
    requirement: "runtime-secrets-4",
    title: "Runs the command although an optional secret is missing",
    async check(bench) {
      const secret_requirements = [{ name: "ACME_TOKEN", required: false }];
      assertEnded(await bench.run({ provider: { secret_requirements } }), "succeeded");
    },
  },
  {
    id: "runtime/secret-by-variable",
    requirement: "runtime-secrets-5",
    title: "Passes a secret to the command only as an environment variable",
    async check(bench) {
      const run = await bench.run({ provider: NEEDS, secrets: HAS });
      const [task] = run.received;
      assert.equal(task?.env["ACME_TOKEN"], VALUE);
      assert.ok(
        !JSON.stringify([task?.stdin, task?.argv, task?.cwd]).includes(VALUE),
        "the secret is not only in its variable",
      );
    },
  },
  {
    id: "runtime/secret-undeclared",
    requirement: ["runtime-provider-command-15", "runtime-secrets-5"],
    title: "Passes no undeclared secrets or variables to the command",
    async check(bench) {
      const secrets = { ...HAS, OTHER_TOKEN: "some-other-secret-1" };
      const variables = { SOME_SETTING: "of the host" };
      const run = await bench.run({ provider: NEEDS, secrets, variables });
      const env = run.received[0]?.env ?? {};
      assert.deepEqual([env["ACME_TOKEN"], env["OTHER_TOKEN"], env["SOME_SETTING"]], [VALUE, undefined, undefined]);
    },
  },
  {
    id: "runtime/secret-asked-for",
    requirement: "runtime-secrets-5",
    title: "Passes a secret that the request names to the command",
    async check(bench) {
      const run = await bench.run({ secrets: HAS, executor: { secret_env: ["ACME_TOKEN"] } });
      assert.equal(run.received[0]?.env["ACME_TOKEN"], VALUE);
    },
  },
  {
    id: "runtime/secret-invalid-name",
    requirement: "runtime-secrets-9",
    title: "Rejects a name that no environment variable can have",
    async check(bench) {
      const run = await bench.run({ executor: { secret_env: ["ACME TOKEN=x"] } });
      assertEnded(run, "failed", "invalid_input");
      assertNotRun(run);
    },
  },
  {
    id: "runtime/secret-condition-met",
    requirement: "runtime-secrets-8",
    title: "Requires a conditional secret if the request meets the condition",
    async check(bench) {
      const run = await bench.run({ provider: CONDITIONAL, executor: { config: { provider: "acme" } } });
      assertEnded(run, "failed", "invalid_input");
      assert.match(diagnosticOf(run, "agent_task.secret_env_missing"), /ACME_KEY/u);
      assertNotRun(run);
    },
  },
  {
    id: "runtime/secret-condition-not-met",
    requirement: "runtime-secrets-8",
    title: "Neither requires nor passes a conditional secret if the request does not meet the condition",
    async check(bench) {
      const run = await bench.run({
        ...{ provider: CONDITIONAL, secrets: { ACME_KEY: VALUE } },
        executor: { config: { provider: "other" } },
      });
      assertEnded(run, "succeeded");
      assert.equal(run.received[0]?.env["ACME_KEY"], undefined);
    },
  },
  {
    id: "runtime/secret-masked",
    requirement: ["runtime-provider-command-14", "runtime-secrets-6"],
    title: "Includes no secret value in an outcome: summary, diagnostics, metadata, outputs",
    async check(bench) {
      const stdout = "the value is %ACME_TOKEN%";
      const outcome = {
        ...{ summary: stdout, metadata: { note: stdout }, outputs: { note: stdout } },
        diagnostics: [{ class: "acme.note", message: stdout, data: [stdout] }],
      };
      const run = await bench.run({ provider: NEEDS, secrets: HAS, behaviour: { outcome } });
      assertEnded(run, "succeeded");
      assert.ok(!JSON.stringify(run.outcome).includes(VALUE), "the value is in the outcome");
      assert.ok(String(run.outcome["summary"]).startsWith("the value is "), "more than the value was redacted");
    },
  },
  {
    id: "runtime/secret-masked-stderr",
    requirement: "runtime-provider-command-14",
    title: "Includes no secret value in the preserved output of a failed command",
    async check(bench) {
      const behaviour = { stderr: "wrong: %ACME_TOKEN%\n", prints: '{"token":"%ACME_TOKEN%"}', exit: 1 };
      const run = await bench.run({ provider: NEEDS, secrets: HAS, behaviour });
      assertEnded(run, "provider_error", "provider");
      const outcomeText = JSON.stringify(run.outcome);
      assert.ok(outcomeText.includes("wrong: "), "the reason is missing");
      assert.ok(!outcomeText.includes(VALUE), "the value is in the outcome");
    },
  },
  {
    id: "runtime/secret-metadata-keys",
    requirement: ["runtime-outcome-9", "runtime-secrets-6", "runtime-secrets-10"],
    title: "Redacts values under keys with secret names, but not counts",
    async check(bench) {
      const metadata = { api_key: "k", nested: { clientSecret: "s" }, total_tokens: 12, token_count: 3, author: "me" };
      const run = await bench.run({ behaviour: { outcome: { metadata } } });
      assert.deepEqual(run.outcome["metadata"], {
        ...metadata,
        ...{ api_key: "[REDACTED]", nested: { clientSecret: "[REDACTED]" } },
      });
    },
  },
  {
    id: "runtime/secret-declared-key",
    requirement: "runtime-secrets-7",
    title: "Redacts a key that the provider declares like the standard ones",
    async check(bench) {
      const provider = { redacted_metadata_keys: ["acme_handle"] };
      const metadata = { acme_handle: 12345, secrets: ["a"], acme_hand: "left" };
      const run = await bench.run({ provider, behaviour: { outcome: { metadata } } });
      const found = run.outcome["metadata"];
      assert.ok(isMap(found));
      assert.deepEqual(found, { acme_handle: "[REDACTED]", secrets: "[REDACTED]", acme_hand: "left" });
    },
  },
  {
    id: "runtime/secret-names-only",
    requirement: "runtime-secrets-5",
    title: "Passes the request to the command with secrets named as by the caller",
    async check(bench) {
      const run = await bench.run({ secrets: HAS, executor: { secret_env: ["ACME_TOKEN"] } });
      const { executor } = requestOf(run);
      assert.deepEqual(isMap(executor) ? executor["secret_env"] : undefined, ["ACME_TOKEN"]);
    },
  },
];
