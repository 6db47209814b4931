import assert from "node:assert/strict";
import type { CaseBody } from "../contract/define-contract.ts";
import { assertEnded, diagnosticOf, isMap, mapsOf, type RuntimeBench } from "./runtime-bench.ts";

/** Conformance cases for processing the outcome that a provider command prints. */
export const outcomeCases: readonly CaseBody<RuntimeBench>[] = [
  {
    id: "runtime/outcome-no-status",
    requirement: "runtime-outcome-5",
    title: "Treats an outcome without a status as failed",
    async check(bench) {
      const run = await bench.run({ behaviour: { outcome: { status: "__omit__" } } });
      assertEnded(run, "failed", "execution_failed");
      diagnosticOf(run, "agent_task.native_status");
    },
  },
  {
    id: "runtime/outcome-recoverable",
    requirement: ["runtime-outcome-4", "runtime-outcome-11"],
    title: "Reads candidate_recoverable as failed, and preserves it in the metadata",
    async check(bench) {
      const run = await bench.run({ behaviour: { outcome: { status: "candidate_recoverable" } } });
      assertEnded(run, "failed", "execution_failed");
      const { metadata } = run.outcome;
      assert.equal(isMap(metadata) ? metadata["native_status"] : undefined, "candidate_recoverable");
    },
  },
  {
    id: "runtime/outcome-classification",
    requirement: "runtime-outcome-6",
    title: "Reads a classification that the provider does not declare as unknown, and reports that",
    async check(bench) {
      const provider = { failure_classifications: ["execution_failed", "unknown"] };
      const outcome = { status: "failed", failure_classification: "mercury_retrograde" };
      const run = await bench.run({ provider, behaviour: { outcome } });
      assertEnded(run, "failed", "unknown");
      assert.match(diagnosticOf(run, "agent_task.provider_undeclared_classification"), /mercury_retrograde/u);
    },
  },
  {
    id: "runtime/outcome-classification-alias",
    requirement: "runtime-outcome-6",
    title: "Recognises synonyms of classifications",
    async check(bench) {
      const outcome = { status: "failed", failure_classification: "quota_exceeded" };
      assertEnded(await bench.run({ behaviour: { outcome } }), "failed", "rate_limited");
    },
  },
  {
    id: "runtime/outcome-success-unclassified",
    requirement: "runtime-outcome-6",
    title: "Returns no classification for a success, whatever the provider reports",
    async check(bench) {
      const run = await bench.run({ behaviour: { outcome: { failure_classification: "provider" } } });
      assertEnded(run, "succeeded");
    },
  },
  {
    id: "runtime/outcome-empty-success",
    requirement: "runtime-outcome-12",
    title: "Treats a claimed success with an empty response and no work as an error of the provider",
    async check(bench) {
      const run = await bench.run({ behaviour: { outcome: { summary: "  " } } });
      assertEnded(run, "provider_error", "provider");
      diagnosticOf(run, "agent_task.provider_empty_stdout");
    },
  },
  {
    id: "runtime/outcome-required-output",
    requirement: "runtime-outcome-13",
    title: "Treats a claimed success without a required output as failed",
    async check(bench) {
      const output_declarations = [{ name: "answer", required: true }, { name: "aside" }];
      const run = await bench.run({ request: () => ({ output_declarations }) });
      assertEnded(run, "failed", "execution_failed");
      assert.match(diagnosticOf(run, "agent_task.required_output_missing"), /answer/u);
    },
  },
  {
    id: "runtime/outcome-required-artifact",
    requirement: "runtime-outcome-13",
    title: "Treats a claimed success without a required artifact as failed, and with it as successful",
    async check(bench) {
      const request = () => ({ expected_artifacts: ["report.md"] });
      assertEnded(await bench.run({ request }), "failed", "execution_failed");
      const behaviour = { writes: ["report.md"], outcome: { artifacts: [{ path: "report.md" }] } };
      assertEnded(await bench.run({ request, behaviour }), "succeeded");
    },
  },
  {
    id: "runtime/outcome-no-op",
    requirement: "runtime-outcome-7",
    title: "Distinguishes a task with nothing to do from success and failure",
    async check(bench) {
      const run = await bench.run({ behaviour: { outcome: { status: "no_op" } } });
      assertEnded(run, "no_op");
      diagnosticOf(run, "agent_task.no_op");
    },
  },
  {
    id: "runtime/outcome-diagnostic-form",
    requirement: "runtime-diagnostics-1",
    title: "Returns a diagnostic with class and message, and preserves its data",
    async check(bench) {
      const diagnostics = ["in passing", { class: "acme.note", message: "seen", data: { lines: 3 } }];
      const run = await bench.run({ behaviour: { outcome: { diagnostics } } });
      const found = mapsOf(run.outcome["diagnostics"]);
      assert.ok(found.every((one) => typeof one["class"] === "string" && typeof one["message"] === "string"));
      assert.ok(
        found.some((one) => one["message"] === "in passing"),
        "the note is missing",
      );
      assert.deepEqual(found.find((one) => one["class"] === "acme.note")?.["data"], { lines: 3 });
    },
  },
  {
    id: "runtime/outcome-further-fields",
    requirement: "runtime-diagnostics-2",
    title: "Preserves fields that a provider adds",
    async check(bench) {
      const run = await bench.run({ behaviour: { outcome: { acme_trace: { spans: [1, 2] } } } });
      assert.deepEqual(run.outcome["acme_trace"], { spans: [1, 2] });
    },
  },
];

const PATCH = ["-const token = readToken();", '+const password = "see the vault";', "+// Bearer aB3dE5gH7j"].join("\n");

/** Conformance cases for data in outcomes that redaction must leave unchanged. */
export const intactCases: readonly CaseBody<RuntimeBench>[] = [
  {
    id: "runtime/outcome-outputs-intact",
    requirement: ["runtime-secrets-10", "runtime-outcome-9"],
    title: "Redacts diagnostics, but never the outputs, which are the work",
    async check(bench) {
      const diagnostics = [{ class: "acme.note", message: "called with api_key=abc123, tests: 12" }];
      const run = await bench.run({ behaviour: { outcome: { outputs: { patch: PATCH }, diagnostics } } });
      assert.deepEqual(run.outcome["outputs"], { patch: PATCH });
      assert.equal(diagnosticOf(run, "acme.note"), "called with api_key=[REDACTED], tests: 12");
    },
  },
];

/** Conformance cases for artifact references. */
export const artifactCases: readonly CaseBody<RuntimeBench>[] = [
  {
    id: "runtime/artifact-confined",
    requirement: "runtime-outcome-10",
    title: "Drops an artifact outside the workspace, and reports that",
    async check(bench) {
      const artifacts = [
        { id: "out", path: "../../etc/hostname" },
        { id: "abs", path: "/etc/hostname" },
      ];
      const run = await bench.run({ behaviour: { outcome: { artifacts } } });
      assert.deepEqual(run.outcome["artifacts"], []);
      assert.match(diagnosticOf(run, "agent_task.artifact_refused"), /out/u);
    },
  },
  {
    id: "runtime/artifact-form",
    requirement: ["runtime-adapter-3", "runtime-outcome-10"],
    title: "Derives the missing id and kind of an artifact from its other fields",
    async check(bench) {
      const outcome = { artifacts: [{ path: "a.md", type: "note" }, { url: "https://acme.example/x" }, {}] };
      const run = await bench.run({ behaviour: { writes: ["a.md"], outcome } });
      const found = mapsOf(run.outcome["artifacts"]).map((one) => [one["id"], one["kind"], one["schema"]]);
      const schema = "homeboy/agent-task-artifact/v1";
      assert.deepEqual(found, [
        ["a.md", "note", schema],
        ["https://acme.example/x", "agent_task_artifact", schema],
        ["agent-task-artifact-3", "agent_task_artifact", schema],
      ]);
    },
  },
  {
    id: "runtime/artifact-evidence",
    requirement: "runtime-adapter-3",
    title: "Returns evidence references with kind, URI and label, and omits those without a target",
    async check(bench) {
      const evidence_refs = [{ path: "log.txt", name: "the log" }, { label: "nothing" }];
      const run = await bench.run({ behaviour: { outcome: { evidence_refs } } });
      assert.deepEqual(run.outcome["evidence_refs"], [
        { kind: "agent_task_evidence", uri: "log.txt", label: "the log" },
      ]);
    },
  },
  {
    id: "runtime/artifact-role",
    requirement: ["runtime-role-aliases-1", "runtime-role-aliases-2"],
    title: "Maps native kinds and file names to roles, regardless of case and with an asterisk as wildcard",
    async check(bench) {
      const role_aliases = { artifact_kinds: { report: ["NOTE-*"] }, artifact_filenames: { patch: ["*.Diff"] } };
      const artifacts = [{ path: "a.md", kind: "note-long" }, { path: "b.diff" }];
      const behaviour = { writes: ["a.md", "b.diff"], outcome: { artifacts } };
      const run = await bench.run({ provider: { role_aliases }, behaviour });
      assert.deepEqual(
        mapsOf(run.outcome["artifacts"]).map((one) => one["role"]),
        ["report", "patch"],
      );
    },
  },
  {
    id: "runtime/artifact-output-role",
    requirement: "runtime-role-aliases-1",
    title: "Maps native names of outputs and metadata to roles",
    async check(bench) {
      const role_aliases = { outputs: { answer: ["acme_answer"] }, metadata: { model: ["acme_model"] } };
      const outcome = { outputs: { acme_answer: 42 }, metadata: { acme_model: "m1" } };
      const run = await bench.run({ provider: { role_aliases }, behaviour: { outcome } });
      assert.deepEqual(run.outcome["outputs"], { acme_answer: 42, answer: 42 });
      assert.deepEqual(run.outcome["metadata"], { acme_model: "m1", model: "m1" });
    },
  },
];
