import { plural, toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { openRunStore, type StoreOptions } from "../store/open-run-store.ts";
import { findRun } from "./open-runs.ts";

const MS_PER_SECOND = 1_000;

/** Deletes a run and its files. Resolves with the exit code. Rejects with `run.not_found` or `run.leased`. */
export async function deleteRun(
  context: CommandContext,
  options: { id: string; json?: boolean } & StoreOptions,
): Promise<number> {
  const store = await openRunStore(context, options);
  const { runId } = await findRun(context, store, { ...options, command: "runs delete" });
  await store.delete(runId);
  context.stdout.write(options.json === true ? `${toPlainJson({ deleted: [runId] })}\n` : `Deleted run ${runId}.\n`);
  return 0;
}

/** Options of the command `runs clean`. */
export interface CleanOptions extends StoreOptions {
  /** Minimum age, in seconds. */
  olderThan: number;
  /** Whether to delete resumable runs too. */
  includeResumable?: boolean;
  /** Whether to print JSON. */
  json?: boolean;
}

/** Deletes runs that have ended and exceed a given age. Active runs are not deleted. Resolves with the exit code. */
export async function cleanRuns(context: CommandContext, options: CleanOptions): Promise<number> {
  const before = context.now() - options.olderThan * MS_PER_SECOND;
  const { includeResumable } = options;
  const deleted = await (await openRunStore(context, options)).collectGarbage({ before, includeResumable });
  context.stdout.write(
    options.json === true ? `${toPlainJson({ deleted })}\n` : `Deleted ${plural(deleted.length, "run")}.\n`,
  );
  return 0;
}
