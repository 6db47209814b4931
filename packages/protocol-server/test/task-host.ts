import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Engine, EngineError } from "@switchyard/contracts";
import { startSession } from "@switchyard/runner";
import { openFileStore } from "@switchyard/stores/file";
import { onTestFinished } from "vitest";
import type { McpHost } from "../src/mcp/index.ts";

/** Creates a folder that is removed after the test. */
export async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "protocol-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Creates a host that runs every task with one engine in the task's workspace. */
export function createHost(engine: Engine, stateDirectory: string): McpHost {
  return {
    runTask: async ({ runId, input, signal, onEvent, userPrompter, wrapEnvironment }) => {
      const environment = { type: "local" as const, root: input.workspace ?? stateDirectory, env: process.env };
      const handle = await startSession(input, {
        ...{ engine, runId, environment, stateDirectory, userPrompter, wrapEnvironment },
      });
      signal.addEventListener("abort", () => handle.interrupt({ cause: "user_cancel" }), { once: true });
      for await (const event of handle.events(handle.startSeq)) await onEvent(event);
      return await handle.result;
    },
    openStore: async () => openFileStore({ directory: stateDirectory }),
    now: Date.now,
    findRun: (runs, id) => runs.show(id),
    runNotFound: (runId) => new EngineError("run.not_found", { runId, stateDirectory }),
    workspaceOf: ({ record }) => record?.workspace,
    continueRun: async (_runId, input) => input,
  };
}

/** Creates the two ends of an in-memory connection. */
export function createConnection() {
  const [up, down] = [new TransformStream<Uint8Array, Uint8Array>(), new TransformStream<Uint8Array, Uint8Array>()];
  return {
    server: { readable: up.readable, writable: down.writable },
    client: { readable: down.readable, writable: up.writable },
  };
}
