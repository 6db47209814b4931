import { InvalidArgumentError } from "commander";

/** Places by the word that `--env` begins with. */
export const PLACE_NAMES = ["local", "sandbox", "docker", "k8s", "ssh", "memory"] as const;

/** A place by that word. */
export type PlaceName = (typeof PLACE_NAMES)[number];

/** Adds a name that was typed to those before it. */
export function parsePlaceName(text: string, before: readonly PlaceName[] = []): PlaceName[] {
  const name = PLACE_NAMES.find((known) => known === text);
  if (name === undefined) throw new InvalidArgumentError(`Write one of: ${PLACE_NAMES.join(", ")}.`);
  return [...before, name];
}
