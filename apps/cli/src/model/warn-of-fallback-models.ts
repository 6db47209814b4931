import { neutraliseControls } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";

/**
 * Warns that an engine does not support fallback models. They may come from the user's settings, so the run continues
 * without them.
 */
export function warnOfFallbackModels(
  context: CommandContext,
  engine: string,
  models: readonly string[] | undefined,
): void {
  if (models === undefined || models.length === 0) return;
  const problem = `the engine ${engine} does not support fallback models, so ${models.join(", ")} will not be used`;
  context.stderr.write(`warning: ${neutraliseControls(problem)}\n`);
}
