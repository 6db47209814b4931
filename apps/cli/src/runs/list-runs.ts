import type { ListedRun, RunStore, StoredRun } from "@switchyard/contracts";
import { matchesFilter, storedRunState } from "@switchyard/runner";
import { canBeResumed } from "@switchyard/settings";
import { plural, renderRunList, runRowOf, shortIdsOf, toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { resumeCommand } from "../run/resume-hint.ts";
import { openRunStore, type StoreOptions } from "../store/open-run-store.ts";
import type { ListOptions } from "./list-options.ts";
import { placeOfRuns } from "./open-runs.ts";

/** Default maximum number of runs in a list for people. */
const DEFAULT_LIMIT = 20;

/** Lists the runs of a state folder or a broker, newest first. Resolves with the exit code. */
export async function listRuns(context: CommandContext, options: ListOptions): Promise<number> {
  const store = await openRunStore(context, options);
  const stored = await store.list();
  const all = stored.filter((run) => matchesFilter(run, { folders: options.folders }));
  const elsewhere = stored.length - all.length;
  const matching = all.filter((run) => matchesFilter(run, options));
  const limit = options.limit ?? (options.json === true ? 0 : DEFAULT_LIMIT);
  const runs = limit === 0 ? matching : matching.slice(0, limit);
  const { stdout } = context;
  if (options.json === true) stdout.write(`${toPlainJson(runs.map(toJson))}\n`);
  else if (all.length === 0 && elsewhere > 0) stdout.write("There are no runs of this folder yet.\n");
  else if (all.length === 0) {
    stdout.write(
      `There are no runs in ${placeOfRuns(context, options)} yet. Start one with \`switchyard run\` or \`switchyard demo\`.\n`,
    );
  } else if (runs.length === 0) stdout.write(`No run matches, of ${plural(all.length, "stored run")}.\n`);
  else {
    const shortIds = shortIdsOf(all.map(({ runId }) => runId));
    const rows = runs.map((run) => {
      const status = "record" in run ? storedRunState(run.record, run.lease).status : "damaged";
      return runRowOf(run, { shortId: shortIds.get(run.runId) ?? run.runId, status });
    });
    for (const line of renderRunList(rows, { output: stdout, now: context.now() })) stdout.write(`${line}\n`);
    if (runs.length < matching.length) {
      const more = (matching.length - runs.length).toLocaleString("en-US");
      stdout.write(`\n${more} more. See --limit, --status and --search.\n`);
    }
    const hint = cutOffHint(await cutOffIn(store, runs), options);
    if (hint !== undefined) stdout.write(`\n${hint}\n`);
  }
  if (elsewhere > 0) stdout.write(`/runs all also lists ${plural(elsewhere, "run")} of other folders.\n`);
  return 0;
}

function toJson(run: ListedRun): unknown {
  if ("problem" in run) return { run_id: run.runId, problem: run.problem.toWire() };
  const { isCutOff, isResumable } = storedRunState(run.record, run.lease);
  return { ...run.record, cut_off: isCutOff, resumable: isResumable };
}

/** Returns the listed runs that can be resumed because their process died, newest first. */
async function cutOffIn(store: RunStore, runs: readonly ListedRun[]): Promise<StoredRun[]> {
  const cutOff = runs.filter((run) => "record" in run && storedRunState(run.record, run.lease).isCutOff);
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
