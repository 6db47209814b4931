import assert from "node:assert/strict";
import type { CaseBody } from "../contract/define-contract.ts";
import { assertEnded, assertNotRun, diagnosticOf, isMap, type RuntimeBench, requestOf } from "./runtime-bench.ts";

const REFUSED = "agent_task.request_validation";
const BUNDLE = {
  capabilities: ["agent_bundle_execution"],
  runtime_execution_contracts: {
    bundle: { ability_field: "bundle_ability", required_capabilities: ["agent_bundle_execution"] },
    workflow: { ability_field: "workflow_ability", required_capabilities: ["workflow_execution"] },
  },
};

/** Conformance cases for requests that are rejected before the command is started, and for the command's input. */
export const requestCases: readonly CaseBody<RuntimeBench>[] = [
  {
    id: "runtime/request-schema",
    requirement: ["runtime-provider-command-3", "runtime-request-1"],
    title: "Rejects a request of another schema before anything runs",
    async check(bench) {
      const run = await bench.run({ request: () => ({ schema: "acme/request/v9" }) });
      assertEnded(run, "failed", "invalid_input");
      assert.match(diagnosticOf(run, REFUSED), /schema/u);
      assertNotRun(run);
    },
  },
  {
    id: "runtime/request-instructions",
    requirement: ["runtime-provider-command-4", "runtime-request-1", "runtime-outcome-7"],
    title: "Rejects a request without instructions, and names the field",
    async check(bench) {
      const run = await bench.run({ request: () => ({ instructions: undefined }) });
      assertEnded(run, "failed", "invalid_input");
      assert.match(diagnosticOf(run, REFUSED), /instructions/u);
      assertNotRun(run);
    },
  },
  {
    id: "runtime/request-no-backend",
    requirement: ["runtime-provider-command-3", "runtime-selection-2"],
    title: "Rejects a request without a backend, because there is no default",
    async check(bench) {
      const run = await bench.run({ executor: { backend: undefined } });
      assertEnded(run, "failed", "invalid_input");
      assert.match(diagnosticOf(run, REFUSED), /executor\.backend/u);
      assertNotRun(run);
    },
  },
  {
    id: "runtime/request-other-backend",
    requirement: "runtime-provider-command-3",
    title: "Rejects a request for another backend",
    async check(bench) {
      const run = await bench.run({ executor: { backend: "somebody-elses" } });
      assertEnded(run, "failed", "invalid_input");
      assertNotRun(run);
    },
  },
  {
    id: "runtime/request-deep-field",
    requirement: ["runtime-provider-command-4", "runtime-request-2"],
    title: "Finds a required field at any depth, and names its path if it is missing",
    async check(bench) {
      const provider = { request_required_fields: ["executor.config.deep.note"] };
      const run = await bench.run({ provider, executor: { config: { deep: {} } } });
      assertEnded(run, "failed", "invalid_input");
      assert.match(diagnosticOf(run, REFUSED), /executor\.config\.deep\.note/u);
      assertNotRun(run);
      const withDefaults = await bench.run({ provider, executor: { config: { deep: { note: "here" } } } });
      assertEnded(withDefaults, "succeeded");
    },
  },
  {
    id: "runtime/request-capability",
    requirement: "runtime-capabilities-1",
    title: "Rejects a capability that the provider does not declare, and names it",
    async check(bench) {
      const provider = { capabilities: ["patch_artifacts"] };
      const run = await bench.run({ provider, executor: { required_capabilities: ["browser_runtime"] } });
      assertEnded(run, "failed", "capability_missing");
      assert.match(diagnosticOf(run, REFUSED), /browser_runtime/u);
      assertNotRun(run);
    },
  },
  {
    id: "runtime/request-unknown-fields",
    requirement: ["runtime-request-3", "runtime-provider-command-1"],
    title: "Passes one JSON request to the command, including unknown fields, followed by the end of input",
    async check(bench) {
      const further = { acme: { keeps: [1, "two"] }, instructions: "Say “no”." };
      const request = requestOf(await bench.run({ request: () => further }));
      assert.deepEqual(request["acme"], further.acme);
      assert.equal(request["instructions"], further.instructions);
    },
  },
  {
    id: "runtime/request-expected-artifacts",
    requirement: "runtime-request-4",
    title: "Converts expected artifacts to required declarations without duplicates",
    async check(bench) {
      const expected = { expected_artifacts: ["a.md", "b.md", "a.md"], artifact_declarations: [{ name: "b.md" }] };
      const run = await bench.run({ request: () => expected });
      assert.deepEqual(requestOf(run)["artifact_declarations"], [
        { name: "b.md", required: true },
        { name: "a.md", required: true },
      ]);
    },
  },
  {
    id: "runtime/request-not-in-arguments",
    requirement: "runtime-runtime-path-5",
    title: "Puts no byte of a request on the command line",
    async check(bench) {
      const mark = "$(touch marked); {{instructions}}";
      const run = await bench.run({ request: () => ({ instructions: mark, mark: "qwertz" }) });
      assert.equal(requestOf(run)["instructions"], mark);
      const [task] = run.received;
      assert.ok(
        !(task?.argv ?? []).some((argument) => /marked|qwertz|task-7/u.test(argument)),
        "a part of the request is among the arguments",
      );
    },
  },
];

/** Conformance cases for the `runtime_execution` descriptor of a request. */
export const executionCases: readonly CaseBody<RuntimeBench>[] = [
  {
    id: "runtime/execution-mapped",
    requirement: "runtime-runtime-execution-1",
    title: "Passes a runtime_execution kind to the provider in the field that it declares",
    async check(bench) {
      const descriptor = { kind: "bundle", input: { name: "acme" } };
      const run = await bench.run({ provider: BUNDLE, request: () => ({ runtime_execution: descriptor }) });
      assertEnded(run, "succeeded");
      const { executor } = requestOf(run);
      const config = isMap(executor) ? executor["config"] : undefined;
      const profile = isMap(config) ? config["runtime_profile"] : undefined;
      assert.deepEqual(profile, { bundle_ability: { input: { name: "acme" } } });
    },
  },
  {
    id: "runtime/execution-unknown-kind",
    requirement: "runtime-runtime-execution-2",
    title: "Rejects a kind that the provider does not declare, and names it",
    async check(bench) {
      const run = await bench.run({ provider: BUNDLE, request: () => ({ runtime_execution: { kind: "ritual" } }) });
      assertEnded(run, "failed", "invalid_input");
      assert.match(diagnosticOf(run, REFUSED), /ritual/u);
      assertNotRun(run);
    },
  },
  {
    id: "runtime/execution-capability",
    requirement: "runtime-runtime-execution-3",
    title: "Rejects a kind whose capabilities the provider lacks before anything runs",
    async check(bench) {
      const run = await bench.run({ provider: BUNDLE, request: () => ({ runtime_execution: { kind: "workflow" } }) });
      assertEnded(run, "failed", "capability_missing");
      assert.match(diagnosticOf(run, REFUSED), /workflow_execution/u);
      assertNotRun(run);
    },
  },
  {
    id: "runtime/execution-ability",
    requirement: "runtime-runtime-execution-4",
    title: "Rejects a runtime_execution of kind ability that names no ability",
    async check(bench) {
      const provider = { capabilities: ["ability_execution"] };
      const run = await bench.run({ provider, request: () => ({ runtime_execution: { kind: "ability" } }) });
      assertEnded(run, "failed", "invalid_input");
      assert.match(diagnosticOf(run, REFUSED), /ability/u);
      assertNotRun(run);
    },
  },
];
