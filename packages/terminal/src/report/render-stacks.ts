import { neutraliseControls } from "../text/neutralise-controls.ts";

/** Renders the stack traces of an error, of its causes and of the errors of an `AggregateError`, each once. */
export function renderStacks(error: unknown): string {
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
