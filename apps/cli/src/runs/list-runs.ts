import type { ListedRun, RunStore, StoredRun } from "@switchyard/contracts";
import { standingOf } from "@switchyard/runner";
import { canBeResumed } from "@switchyard/settings";
import { cutToWidth, plural, renderTable, toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { resumeCommand } from "../run/resume-hint.ts";
import { openRunStore, type StoreOptions } from "../store/open-run-store.ts";
import { placeOfRuns } from "./open-runs.ts";

const HEADINGS = ["RUN", "STATUS", "STARTED", "MODEL", "TASK"];

/** Options of the command `runs list`. */
export interface ListOptions extends StoreOptions {
  /** Whether to print JSON. */
  json?: boolean;
}

/** Lists the runs of a state folder or a broker, newest first. Resolves with the exit code. */
export async function listRuns(context: CommandContext, options: ListOptions): Promise<number> {
  const store = await openRunStore(context, options);
  const runs = await store.list();
  if (options.json === true) {
    context.stdout.write(`${toPlainJson(runs.map(toJson))}\n`);
    return 0;
  }
  if (runs.length === 0) {
    context.stdout.write(
      `There are no runs in ${placeOfRuns(context, options)} yet. Start one with \`switchyard run\` or \`switchyard demo\`.\n`,
    );
    return 0;
  }
  const columns = context.stdout.isTerminal ? context.stdout.columns : Number.POSITIVE_INFINITY;
  for (const line of renderTable([HEADINGS, ...runs.map(toRow)]))
    context.stdout.write(`${cutToWidth(line, columns)}\n`);
  const hint = cutOffHint(await cutOffIn(store, runs), options);
  if (hint !== undefined) context.stdout.write(`\n${hint}\n`);
  return 0;
}

function toJson(run: ListedRun): unknown {
  if ("problem" in run) return { run_id: run.runId, problem: run.problem.toWire() };
  const { isCutOff, isResumable } = standingOf(run.record, run.lease);
  return { ...run.record, cut_off: isCutOff, resumable: isResumable };
}

function toRow(run: ListedRun): string[] {
  if ("problem" in run) return [run.runId, "damaged", "", "", run.problem.message];
  const { run_id, created_at, model, title } = run.record;
  const { status } = standingOf(run.record, run.lease);
  return [run_id, status, created_at.replace(/\.\d+Z$/, "Z"), model ?? "", title];
}

/** Returns the runs that can be resumed because their process died, newest first. */
async function cutOffIn(store: RunStore, runs: readonly ListedRun[]): Promise<StoredRun[]> {
  const cutOff = runs.filter((run) => "record" in run && standingOf(run.record, run.lease).isCutOff);
  const shown = await Promise.all(cutOff.map(({ runId }) => store.show(runId).catch(() => undefined)));
  return shown.filter((run) => run !== undefined).filter(canBeResumed);
}

/**
 * Returns a hint with the command that resumes the newest run whose process died. `undefined` if there is no such run.
 */
function cutOffHint(cutOff: readonly StoredRun[], options: StoreOptions): string | undefined {
  const [newest] = cutOff;
  if (newest === undefined) return undefined;
  const [subject, end] = cutOff.length === 1 ? ["1 run was", "it"] : [`${plural(cutOff.length, "run")} were`, "one"];
  return `${subject} cut off. Resume ${end}: ${resumeCommand(newest.runId, options)}`;
}
