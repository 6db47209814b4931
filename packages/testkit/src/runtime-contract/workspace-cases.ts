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
    title: "Starts the command in the folder of the request for request_workspace",
    async check(bench) {
      const run = await bench.run({ provider: { workspace_materialization: { cwd: "request_workspace" } } });
      assertEnded(run, "succeeded");
      assert.equal(run.received[0]?.cwd, run.subject.workspace);
    },
  },
  {
    id: "runtime/workspace-package",
    requirement: ["runtime-workspace-1", "runtime-provider-command-16"],
    title: "Starts the command in the folder of the package for runtime_package",
    async check(bench) {
      const run = await bench.run({ provider: { workspace_materialization: { cwd: "runtime_package" } } });
      assertEnded(run, "succeeded");
      assert.equal(run.received[0]?.cwd, run.subject.runtimePath);
    },
  },
  {
    id: "runtime/workspace-git",
    requirement: ["runtime-workspace-2", "runtime-workspace-1"],
    title: "Rejects a workspace that is not a git checkout if one is declared",
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
    title: "Rejects a workspace that does not exist or is not a folder",
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
    title: "Reports a forbidden write, and does not accept the success",
    async check(bench) {
      const run = await bench.run({ provider: WRITES_NOTHING, behaviour: { writes: ["surprise.txt"] } });
      assertEnded(run, "failed", "policy_denied");
      assert.match(diagnosticOf(run, "agent_task.write_outside_scope"), /surprise\.txt/u);
    },
  },
  {
    id: "runtime/workspace-scope-changed",
    requirement: "runtime-workspace-3",
    title: "Detects a changed file as a write, even if its size is unchanged",
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
    title: "Allows writes only below the artifact paths of the provider",
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
    title: "Allows writes in the workspace if the scope is the workspace",
    async check(bench) {
      const provider = { workspace_materialization: { write_scope: "workspace" } };
      assertEnded(await bench.run({ provider, behaviour: { writes: ["anywhere.txt"] } }), "succeeded");
    },
  },
];
