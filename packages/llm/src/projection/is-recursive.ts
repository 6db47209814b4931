import { isRecord } from "../failure/error-info.ts";
import { pointerTarget } from "./read-schema.ts";

/** Returns the references anywhere in a schema. Iterative, so that a deep schema cannot overflow the stack. */
function referencesIn(schema: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting: unknown[] = [schema];
  while (waiting.length > 0) {
    const part = waiting.pop();
    if (Array.isArray(part)) waiting.push(...part);
    else if (isRecord(part)) {
      if (typeof part["$ref"] === "string") found.add(part["$ref"]);
      waiting.push(...Object.values(part));
    }
  }
  return found;
}

/** Returns whether a reference of a schema leads back to itself. */
export function isRecursive(schema: Readonly<Record<string, unknown>>): boolean {
  const targets = new Map<string, ReadonlySet<string>>();
  for (const reference of referencesIn(schema)) {
    targets.set(reference, referencesIn(pointerTarget(schema, reference)));
  }
  return Array.from(targets.keys()).some((start) => {
    // Iterating over a set also visits elements that are added during the iteration.
    const reached = new Set(targets.get(start));
    for (const next of reached) for (const further of targets.get(next) ?? []) reached.add(further);
    return reached.has(start);
  });
}
