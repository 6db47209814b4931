import type { SessionReport } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import type { RunStore, StoredRun } from "@switchyard/runner";
import { openRunStore } from "@switchyard/runner";
import { usageError } from "../program/usage-error.ts";
import { stateDirectory } from "../run/state-directory.ts";
import { summariseDiff } from "../text/diff-summary.ts";
import { formatDuration } from "../text/format-duration.ts";
import { neutraliseControls, toPlainJson } from "../text/neutralise-controls.ts";
import type { World } from "../world/world.ts";

const MAX_NAMED = 5;

/** Shows one run, by its id or the beginning of it. Resolves with the exit code; rejects with `run.not_found`. */
export async function showRun(world: World, options: { id: string; json?: boolean; state?: string }): Promise<number> {
  const folder = stateDirectory(world, options.state);
  const store = openRunStore(folder);
  const run = await store.show(await completeId(store, options.id, folder));
  if (options.json === true) {
    const { record, report, problems } = run;
    world.stdout.write(
      `${toPlainJson({ folder: run.folder, record, report, problems: problems.map((one) => one.toWire()) })}\n`,
    );
    return 0;
  }
  world.stdout.write(`${renderRun(run).map(neutraliseControls).join("\n")}\n`);
  return 0;
}

async function completeId(store: RunStore, id: string, folder: string): Promise<string> {
  const ids = (await store.list()).map(({ runId }) => runId);
  const matches = ids.includes(id) ? [id] : ids.filter((candidate) => candidate.startsWith(id));
  const [match] = matches;
  if (match === undefined || id === "") throw new EngineError("run.not_found", { runId: id, stateDirectory: folder });
  if (matches.length === 1) return match;
  const named = matches.slice(0, MAX_NAMED).join(", ");
  throw usageError(
    `${id} is the beginning of ${matches.length} runs: ${named}${matches.length > MAX_NAMED ? ", …" : ""}.`,
    "runs show",
  );
}

function renderRun({ runId, folder, record, report, problems }: StoredRun): string[] {
  const facts: [string, string | undefined][] = [
    ["Run", runId],
    ["Status", report?.status ?? record?.status],
    ["Task", record?.title],
    ["Engine", record?.engine],
    ["Model", record?.model],
    ["Workspace", record?.workspace],
    ["Started", record?.created_at],
    ["Took", report === undefined ? undefined : formatDuration(report.timing.durationMs)],
    ["Tokens", report === undefined ? undefined : tokensOf(report)],
    ["Error", report?.error?.message],
    ["Run folder", folder],
  ];
  const known = facts.filter(([, value]) => value !== undefined && value !== "");
  const lines = known.map(([name, value]) => `${`${name}:`.padEnd(12)}${value}`);
  const changes = summariseDiff(report?.workspaceDiff ?? "");
  if (changes.length > 0) lines.push("", "Changes:", ...changes.map((line) => `  ${line}`));
  const message = report?.result?.final_message ?? "";
  if (message !== "") lines.push("", message);
  for (const problem of problems) lines.push("", `Problem: ${problem.message} ${problem.remedy}`);
  return lines;
}

function tokensOf({ usage }: SessionReport): string {
  return `${usage.inputTokens.toLocaleString("en-US")} in, ${usage.outputTokens.toLocaleString("en-US")} out`;
}
