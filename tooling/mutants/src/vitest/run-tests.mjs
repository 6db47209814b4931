// @ts-check
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** @import { FileResult, TestRequest } from "./test-request.mjs" */

/**
 * Outcome of a test process. `hung` when it was killed at the time limit.
 * @typedef {{ kind: "ended", results: FileResult[] } | { kind: "hung" } | { kind: "broken", problem: string }} TestOutcome
 */

const PROCESS = join(import.meta.dirname, "vitest-process.mjs");

/**
 * Runs test files in a separate process group, which is killed at the time limit. Its temporary folder is removed.
 * @param {TestRequest} request
 * @param {number} timeoutMs
 * @returns {Promise<TestOutcome>}
 */
export async function runTests(request, timeoutMs) {
  // Short, because tests create sockets in it.
  const folder = mkdtempSync(join(tmpdir(), "mut-"));
  const child = fork(PROCESS, [], {
    cwd: join(request.root, request.folder),
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: { ...process.env, TMPDIR: folder, NODE_ENV: "test" },
  });
  const { pid } = child;
  const clean = () => {
    if (pid !== undefined) killGroup(pid);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  process.once("exit", clean);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk) => {
      output = `${output}${chunk}`.slice(-4_000);
    });
  }
  try {
    return await new Promise((settle) => {
      const timer = setTimeout(() => settle({ kind: "hung" }), timeoutMs);
      child.once("message", (/** @type {{ results?: FileResult[], problem?: string }} */ { results, problem }) => {
        clearTimeout(timer);
        settle(
          results === undefined ? { kind: "broken", problem: problem ?? "no results" } : { kind: "ended", results },
        );
      });
      child.once("exit", () => {
        clearTimeout(timer);
        settle({ kind: "broken", problem: `The test process ended early. ${output}` });
      });
      child.send(request);
    });
  } finally {
    process.removeListener("exit", clean);
    clean();
  }
}

/**
 * @param {number} pid
 * @returns {void}
 */
function killGroup(pid) {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
