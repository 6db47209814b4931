import { parseFanOutPlan, parseFanOutRecords, reconcileFanOut } from "@switchyard/runtimes";
import { readJson } from "../input/read-json.ts";
import { toPlainJson } from "../text/neutralise-controls.ts";
import type { World } from "../context/command-context.ts";

/** Prints the result of a run. Resolves with exit code 0 when all tasks succeeded, else 1; rejects with `input.*`. */
export async function reconcileFanout(world: World, files: { plan: string; run: string }): Promise<number> {
  const plan = parseFanOutPlan(await readJson(world, files.plan), files.plan);
  const records = parseFanOutRecords(await readJson(world, files.run), files.run);
  const result = reconcileFanOut(plan, records);
  world.stdout.write(`${toPlainJson(result)}\n`);
  return result.status === "completed" ? 0 : 1;
}
