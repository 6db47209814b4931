import { InvalidArgumentError } from "commander";

/** Environment types, as in the first part of `--env`. */
export const PLACE_NAMES = ["local", "sandbox", "docker", "k8s", "ssh", "memory"] as const;

/** Environment type. */
export type PlaceName = (typeof PLACE_NAMES)[number];

/** Parses an environment type and appends it to the types of earlier arguments. */
export function parsePlaceName(text: string, before: readonly PlaceName[] = []): PlaceName[] {
  const name = PLACE_NAMES.find((known) => known === text);
  if (name === undefined) throw new InvalidArgumentError(`Write one of: ${PLACE_NAMES.join(", ")}.`);
  return [...before, name];
}
