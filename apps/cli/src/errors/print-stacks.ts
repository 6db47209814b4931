import { neutraliseControls } from "../text/neutralise-controls.ts";
import type { World } from "../context/command-context.ts";

/** With `--debug`, prints an error with its stack and those of its causes; else nothing. */
export async function printStacks(world: World, error: unknown): Promise<void> {
  // Read before the words are parsed: what is wrong may be the words.
  if (!world.words.includes("--debug")) return;
  world.stderr.write(`${await maskSecrets(renderStacks(error), world)}\n`);
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
export async function maskSecrets(text: string, { env }: World): Promise<string> {
  const [{ secretsFromEnv }, { createMasker, maskForLog }] = await Promise.all([
    import("@switchyard/runner"),
    import("@switchyard/secrets"),
  ]);
  return maskForLog(createMasker(secretsFromEnv(env)).mask(text));
}
