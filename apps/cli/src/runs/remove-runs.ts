import { openRunStore, type StoreOptions } from "../store/open-run-store.ts";
import { toPlainJson } from "../text/neutralise-controls.ts";
import { plural } from "../text/plural.ts";
import type { World } from "../context/command-context.ts";
import { findRun } from "./open-runs.ts";

const MS_PER_SECOND = 1_000;

/** Deletes one run with its files. Resolves with the exit code; rejects with `run.not_found` or `run.leased`. */
export async function deleteRun(world: World, options: { id: string; json?: boolean } & StoreOptions): Promise<number> {
  const store = await openRunStore(world, options);
  const { runId } = await findRun(world, store, { ...options, command: "runs delete" });
  await store.delete(runId);
  world.stdout.write(options.json === true ? `${toPlainJson({ deleted: [runId] })}\n` : `Deleted the run ${runId}.\n`);
  return 0;
}

/** Options of the command `runs clean`. */
export interface CleanOptions extends StoreOptions {
  /** Age in seconds. */
  olderThan: number;
  /** Whether runs that could be resumed go as well. */
  includeResumable?: boolean;
  /** Whether JSON is printed. */
  json?: boolean;
}

/** Deletes runs that have been over for some time; never one that is worked on. Resolves with the exit code. */
export async function cleanRuns(world: World, options: CleanOptions): Promise<number> {
  const before = world.now() - options.olderThan * MS_PER_SECOND;
  const { includeResumable } = options;
  const deleted = await (await openRunStore(world, options)).collectGarbage({ before, includeResumable });
  world.stdout.write(
    options.json === true ? `${toPlainJson({ deleted })}\n` : `Deleted ${plural(deleted.length, "run")}.\n`,
  );
  return 0;
}
