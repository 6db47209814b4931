import { toEngineError } from "@switchyard/contracts";
import { maskSecrets, printStacks } from "../errors/print-stacks.ts";
import { toPlainJson } from "../text/neutralise-controls.ts";
import type { World } from "../context/command-context.ts";

/** Says on a line of JSON, as all lines of a server are, what went wrong in it; with `--debug` the stacks follow. */
export async function logFailure(world: World, error: unknown): Promise<void> {
  const { code, message, remedy } = toEngineError(error);
  const time = new Date(world.now()).toISOString();
  const problem = await maskSecrets(message, world);
  world.stderr.write(`${toPlainJson({ time, level: "error", message: "failure", code, problem, remedy })}\n`);
  await printStacks(world, error);
}
