import { neutraliseControls } from "../text/neutralise-controls.ts";
import type { World } from "../context/command-context.ts";

/** Says that an engine has no fallback models. They may come from the user's settings, so the run goes on without them. */
export function warnOfFallbackModels(world: World, engine: string, models: readonly string[] | undefined): void {
  if (models === undefined || models.length === 0) return;
  const problem = `the engine ${engine} has no fallback models, so ${models.join(", ")} will not be used`;
  world.stderr.write(`warning: ${neutraliseControls(problem)}\n`);
}
