import { renderStacks } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";

/** If `--debug` is given, prints the stack traces of an error and its causes. */
export async function printStacks(context: CommandContext, error: unknown): Promise<void> {
  // Searches the unparsed arguments for `--debug`, because the error may come from parsing them.
  if (!context.words.includes("--debug")) return;
  context.stderr.write(`${await maskSecrets(renderStacks(error), context)}\n`);
}

/** Redacts secrets in an error message. Errors from third-party code may quote requests. */
export async function maskSecrets(text: string, { env }: CommandContext): Promise<string> {
  const [{ secretsFromEnv }, { createMasker, maskForLog }] = await Promise.all([
    import("@switchyard/runner"),
    import("@switchyard/secrets"),
  ]);
  return maskForLog(createMasker(secretsFromEnv(env)).mask(text));
}
