import type { RunRecord } from "@switchyard/contracts";
import { openRunStore } from "@switchyard/runner";
import { stateDirectory } from "../run/state-directory.ts";
import { cutToWidth } from "../text/display-width.ts";
import { neutraliseControls, toPlainJson } from "../text/neutralise-controls.ts";
import type { World } from "../world/world.ts";

const HEADINGS = ["RUN", "STATUS", "STARTED", "MODEL", "TASK"];

/** Lists the runs of a state folder, the newest first. Resolves with the exit code. */
export async function listRuns(world: World, options: { json?: boolean; state?: string }): Promise<number> {
  const folder = stateDirectory(world, options.state);
  const runs = await openRunStore(folder).list();
  if (options.json === true) {
    const listed = runs.map((run) => {
      return "record" in run ? run.record : { run_id: run.runId, problem: run.problem.toWire() };
    });
    world.stdout.write(`${toPlainJson(listed)}\n`);
    return 0;
  }
  if (runs.length === 0) {
    world.stdout.write(
      `There are no runs in ${folder} yet. Start one with \`switchyard run\` or \`switchyard demo\`.\n`,
    );
    return 0;
  }
  const rows = runs.map((run) =>
    "record" in run ? toRow(run.record) : [run.runId, "damaged", "", "", run.problem.message],
  );
  const columns = world.stdout.isTerminal ? world.stdout.columns : Number.POSITIVE_INFINITY;
  for (const line of renderTable([HEADINGS, ...rows])) world.stdout.write(`${cutToWidth(line, columns)}\n`);
  return 0;
}

function toRow({ run_id, status, created_at, model, title }: RunRecord): string[] {
  return [run_id, status, created_at.replace(/\.\d+Z$/, "Z"), model ?? "", title];
}

function longestIn(cells: readonly string[]): number {
  return cells.reduce((longest, cell) => Math.max(longest, cell.length), 0);
}

function renderTable(rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map((row) => row.map((cell) => neutraliseControls(cell).replace(/\s+/g, " ")));
  const widths = HEADINGS.map((_, column) => longestIn(cells.map((row) => row[column] ?? "")));
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
