import { parseFanOutPlan, parseFanOutRecords, reconcileFanOut } from "@switchyard/runtimes";
import { toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { readJson } from "../input/read-json.ts";

/**
 * Compares the task records of a fan-out with its plan and prints the result. Resolves with exit code 0 if all tasks
 * succeeded, otherwise 1. Rejects with `input.*`.
 */
export async function reconcileFanout(context: CommandContext, files: { plan: string; run: string }): Promise<number> {
  const plan = parseFanOutPlan(await readJson(context, files.plan), files.plan);
  const records = parseFanOutRecords(await readJson(context, files.run), files.run);
  const result = reconcileFanOut(plan, records);
  context.stdout.write(`${toPlainJson(result)}\n`);
  return result.status === "completed" ? 0 : 1;
}
