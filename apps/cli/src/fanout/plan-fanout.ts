import { incompleteTasks, parseFanOutConfig, planFanOut, planFindingPackets } from "@switchyard/runtimes";
import { neutraliseControls, toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { readJson } from "../input/read-json.ts";

/** Options of the command `fanout plan`. */
export interface PlanChoice {
  /** Path of the configuration file, or `-` for standard input. */
  config: string;
  /** Whether the configuration file contains packets (lists of findings with metadata) instead of items. */
  findings?: boolean;
}

/**
 * Prints the plan of a fan-out. Prints a warning to standard error if the plan is incomplete. Resolves with exit code
 * 0. Rejects with `input.*`.
 */
export async function planFanout(context: CommandContext, { config, findings }: PlanChoice): Promise<number> {
  const data = await readJson(context, config);
  const plan = findings === true ? planFindingPackets(data, config) : planFanOut(parseFanOutConfig(data, config));
  context.stdout.write(`${toPlainJson(plan)}\n`);
  const problem = incompleteTasks(plan);
  if (problem !== undefined) context.stderr.write(`warning: ${neutraliseControls(problem)}\n`);
  return 0;
}
