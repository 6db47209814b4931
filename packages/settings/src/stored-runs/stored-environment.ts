import { parseEnvironmentName } from "@switchyard/environment";
import type { EnvironmentChoice } from "../environment/environment-selection.ts";

/** Converts environment options to the form that is stored with a run. `undefined` for the local environment. */
export function toKeptEnvironment(choice: EnvironmentChoice | undefined): Record<string, string> | undefined {
  if (choice?.env === undefined || choice.env === "local") return undefined;
  const { env: place, envNetwork: network, envMemory: memory, envUser: user, workspace } = choice;
  return {
    place,
    ...(network === undefined ? {} : { network }),
    ...(memory === undefined ? {} : { memory }),
    ...(user === undefined ? {} : { user }),
    ...(workspace === undefined ? {} : { workspace }),
  };
}

/** Reads environment options from a stored run request. `undefined` for the local environment. */
export function fromKeptEnvironment(kept: unknown): EnvironmentChoice | undefined {
  if (typeof kept !== "object" || kept === null) return undefined;
  const text = (name: string): string | undefined => {
    const value: unknown = Reflect.get(kept, name);
    return typeof value === "string" ? value : undefined;
  };
  return {
    ...{ env: text("place"), envNetwork: text("network"), envMemory: text("memory") },
    ...{ envUser: text("user"), workspace: text("workspace") },
  };
}

/** Returns true if the files of an environment remain after the run's process has ended. */
export function isKeptForGood(choice: EnvironmentChoice | undefined): boolean {
  const parsed = parseEnvironmentName(choice?.env ?? "local");
  if ("problem" in parsed) return true;
  return parsed.type !== "memory" && !(parsed.type === "kubernetes" && "image" in parsed);
}
