import assert from "node:assert/strict";
import type { CaseBody } from "../contract/define-contract.ts";
import { assertEnded, assertNotRun, diagnosticOf, type RuntimeBench } from "./runtime-bench.ts";

const WRITES_NOTHING = { workspace_materialization: { write_scope: "none" } };
const WRITES_NOTES = { workspace_materialization: { write_scope: "artifacts", artifact_paths: ["notes"] } };

/** Conformance cases for the command's folder and write access. */
export const workspaceCases: readonly CaseBody<RuntimeBench>[] = [
  {
    id: "runtime/workspace-request",
    requirement: ["runtime-workspace-1", "runtime-provider-command-16"],
    title: "request_workspace starts the command in the folder of the request",
    async check(bench) {
      const run = await bench.run({ provider: { workspace_materialization: { cwd: "request_workspace" } } });
      assertEnded(run, "succeeded");
      assert.equal(run.received[0]?.cwd, run.subject.workspace);
    },
  },
  {
    id: "runtime/workspace-package",
    requirement: ["runtime-workspace-1", "runtime-provider-command-16"],
    title: "runtime_package starts the command in the folder of the package",
    async check(bench) {
      const run = await bench.run({ provider: { workspace_materialization: { cwd: "runtime_package" } } });
      assertEnded(run, "succeeded");
      assert.equal(run.received[0]?.cwd, run.subject.runtimePath);
    },
  },
  {
    id: "runtime/workspace-git",
    requirement: ["runtime-workspace-2", "runtime-workspace-1"],
    title: "A workspace that is no git checkout is refused where one is declared",
    async check(bench) {
      for (const workspace_materialization of [{ cwd: "git_checkout" }, { requires_git: true }]) {
        const run = await bench.run({ provider: { workspace_materialization } });
        assertEnded(run, "failed", "invalid_input");
        assert.match(diagnosticOf(run, "agent_task.request_validation"), /git/u);
        assertNotRun(run);
      }
    },
  },
  {
    id: "runtime/workspace-missing",
    requirement: "runtime-workspace-6",
    title: "A workspace that does not exist, or is no folder, is refused",
    async check(bench) {
      for (const name of ["gone", "file.txt"]) {
        const run = await bench.run({
          files: { "file.txt": "x" },
          request: ({ workspace }) => ({ workspace: { root: `${workspace}/${name}` } }),
        });
        assertEnded(run, "failed", "invalid_input");
        assertNotRun(run);
      }
    },
  },
  {
    id: "runtime/workspace-scope-none",
    requirement: "runtime-workspace-3",
    title: "A write where nothing may be written is reported, and the success with it is none",
    async check(bench) {
      const run = await bench.run({ provider: WRITES_NOTHING, behaviour: { writes: ["surprise.txt"] } });
      assertEnded(run, "failed", "policy_denied");
      assert.match(diagnosticOf(run, "agent_task.write_outside_scope"), /surprise\.txt/u);
    },
  },
  {
    id: "runtime/workspace-scope-changed",
    requirement: "runtime-workspace-3",
    title: "A changed file is a write, also where its size stays",
    async check(bench) {
      const run = await bench.run({
        ...{ provider: WRITES_NOTHING, files: { "a.txt": "before" } },
        behaviour: { writes: ["a.txt"] },
      });
      assertEnded(run, "failed", "policy_denied");
      assert.match(diagnosticOf(run, "agent_task.write_outside_scope"), /a\.txt/u);
    },
  },
  {
    id: "runtime/workspace-scope-artifacts",
    requirement: ["runtime-workspace-3", "runtime-workspace-4"],
    title: "Below its artifact paths a provider may write, beside them it may not",
    async check(bench) {
      const inside = await bench.run({ provider: WRITES_NOTES, behaviour: { writes: ["notes/a.md"] } });
      assertEnded(inside, "succeeded");
      const outside = await bench.run({ provider: WRITES_NOTES, behaviour: { writes: ["notes-not/a.md"] } });
      assertEnded(outside, "failed", "policy_denied");
    },
  },
  {
    id: "runtime/workspace-free",
    requirement: ["runtime-workspace-3", "runtime-workspace-5"],
    title: "Where the scope is the workspace, writing in it is no violation",
    async check(bench) {
      const provider = { workspace_materialization: { write_scope: "workspace" } };
      assertEnded(await bench.run({ provider, behaviour: { writes: ["anywhere.txt"] } }), "succeeded");
    },
  },
];
