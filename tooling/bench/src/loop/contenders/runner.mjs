// @ts-check
// The built-in agent as the README of @switchyard/runner shows it: `run` with a stored run, and a loop over its events.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "@switchyard/runner";
import { openSqliteStore } from "@switchyard/stores/sqlite";
import { benchClient, benchTool } from "./our-parts.mjs";
import { listener } from "./plan.mjs";

/** @import { RunStore } from "@switchyard/contracts" */
/** @import { Contender } from "./plan.mjs" */

/**
 * Creates the contender of the contract path. Without a store, the runner opens its default, a file store in the state
 * folder.
 * @param {(folder: string) => Promise<RunStore | undefined>} openStore
 * @returns {Promise<Contender>}
 */
async function openRunner(openStore) {
  const folder = await mkdtemp(join(tmpdir(), "switchyard-bench-"));
  const [environment, stateDirectory] = [join(folder, "workspace"), join(folder, "state")];
  await mkdir(environment);
  const store = await openStore(folder);
  /** @type {unknown[]} */
  const kept = [];
  return {
    converse: async (plan) => {
      const { sawCall, sawDelta, seen } = listener(plan);
      const session = run({
        model: "anthropic/bench",
        environment,
        prompt: "go",
        env: process.env,
        agent: { client: benchClient(plan), profile: { tools: [benchTool(plan)] } },
        ...(store === undefined ? { stateDirectory } : { store }),
      });
      for await (const event of session) {
        if (event.type === "tool_call_end") sawCall();
        if (event.type === "assistant_text_delta") {
          const pause = sawDelta(event.payload.content);
          if (pause !== undefined) await pause;
        }
      }
      const report = await session;
      if (report.status !== "completed")
        throw new Error(`The run ended as ${report.status}: ${JSON.stringify(report)}`);
      kept.push(report);
      return seen();
    },
    close: async () => {
      await store?.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Creates the contender whose runs are stored in files. */
export function openRunnerWithFiles() {
  return openRunner(async () => undefined);
}

/** Creates the contender whose runs are stored in SQLite. */
export function openRunnerWithSqlite() {
  return openRunner((folder) => openSqliteStore({ path: join(folder, "runs.db") }));
}
