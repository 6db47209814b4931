import { neutraliseControls } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";

/** With `--debug`, prints an error with its stack and those of its causes; else nothing. */
export async function printStacks(context: CommandContext, error: unknown): Promise<void> {
  // Read before the words are parsed: what is wrong may be the words.
  if (!context.words.includes("--debug")) return;
  context.stderr.write(`${await maskSecrets(renderStacks(error), context)}\n`);
}

function renderStacks(error: unknown): string {
  const stacks: string[] = [];
  const seen = new Set<unknown>();
  const queue: unknown[] = [error];
  for (const value of queue) {
    if (value === undefined || value === null || seen.has(value)) continue;
    seen.add(value);
    stacks.push(value instanceof Error ? (value.stack ?? value.message) : String(value));
    if (value instanceof AggregateError) queue.push(...value.errors);
    if (value instanceof Error) queue.push(value.cause);
  }
  return neutraliseControls(stacks.join("\ncaused by: "));
}

/** Takes secrets out of what an error says: foreign ones may quote what was sent. */
export async function maskSecrets(text: string, { env }: CommandContext): Promise<string> {
  const [{ secretsFromEnv }, { createMasker, maskForLog }] = await Promise.all([
    import("@switchyard/runner"),
    import("@switchyard/secrets"),
  ]);
  return maskForLog(createMasker(secretsFromEnv(env)).mask(text));
}
