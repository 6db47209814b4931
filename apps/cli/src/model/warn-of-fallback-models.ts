import { neutraliseControls } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";

/**
 * Prints a warning if an engine does not support fallback models. Not an error, because the models may come from the
 * user's settings.
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
