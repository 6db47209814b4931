import { parseFanOutConfig, planFanOut, planFindingPackets } from "@switchyard/runtimes";
import { readJson } from "../input/read-json.ts";
import { toPlainJson } from "../text/neutralise-controls.ts";
import type { World } from "../world/world.ts";

/** What is planned. */
export interface PlanChoice {
  /** File with the configuration, or `-`. */
  config: string;
  /** Whether it has packets of findings. */
  findings?: boolean;
}

/** Prints the plan of a fan-out. Resolves with exit code 0; rejects with `input.*`. */
export async function planFanout(world: World, { config, findings }: PlanChoice): Promise<number> {
  const data = await readJson(world, config);
  const plan = findings === true ? planFindingPackets(data, config) : planFanOut(parseFanOutConfig(data, config));
  world.stdout.write(`${toPlainJson(plan)}\n`);
  return 0;
}
