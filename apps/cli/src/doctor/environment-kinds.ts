import { InvalidArgumentError } from "commander";

/** Environment types, as in the first part of `--env`. */
export const ENVIRONMENT_KINDS = ["local", "sandbox", "docker", "k8s", "ssh", "memory"] as const;

/** Environment type. */
export type EnvironmentKind = (typeof ENVIRONMENT_KINDS)[number];

/** Parses an environment type and appends it to the types of earlier arguments. */
export function parseEnvironmentKind(text: string, before: readonly EnvironmentKind[] = []): EnvironmentKind[] {
  const name = ENVIRONMENT_KINDS.find((known) => known === text);
  if (name === undefined) throw new InvalidArgumentError(`Write one of: ${ENVIRONMENT_KINDS.join(", ")}.`);
  return [...before, name];
}
