// Runs an engine with a run folder, a report and a diff of its changes.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEPENDENCY, SESSION_RESULT } from "@switchyard/contracts";
import { defineEngine } from "@switchyard/engine";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { startSession } from "@switchyard/runner";
import { openFileStore } from "@switchyard/stores/file";

const folder = await mkdtemp(join(tmpdir(), "run-a-session-"));
const workspace = join(folder, "project");
const stateDirectory = join(folder, "state");
try {
  await mkdir(workspace);
  await writeFile(join(workspace, "version.txt"), "1.0.0\n");
  execFileSync("git", ["init", "--quiet"], { cwd: workspace });

  await using environment = await openLocalEnvironment({ root: workspace, env: { PATH: process.env["PATH"] } });
  const bumper = defineEngine(
    async (_run, _host, board) => {
      const before = await environment.readFile("version.txt");
      await environment.writeFile("version.txt", before.replace("1.0.0", "1.1.0"));
      board.set(SESSION_RESULT, { exit_code: 0, final_message: "Bumped the version to 1.1.0." });
    },
    { requiredDependencies: [DEPENDENCY.environment] },
  );

  const session = await startSession(
    { messages: [{ role: "user", content: "Bump the minor version." }] },
    { engine: bumper, engineName: "bumper", environment, stateDirectory },
  );
  const report = await session.result;

  assert.equal(report.status, "completed");
  assert.match(report.workspaceDiff ?? "", /-1\.0\.0\n\+1\.1\.0/);
  const runs = await openFileStore({ directory: stateDirectory }).list();
  assert.equal(runs.length, 1);
  console.log(report.result?.final_message);
  console.log(report.workspaceDiff);
} finally {
  await rm(folder, { recursive: true, force: true });
}
