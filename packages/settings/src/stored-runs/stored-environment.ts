import { parseEnvironmentName } from "@switchyard/environment";
import { environmentNameOf } from "../environment/default-environment.ts";
import type { EnvironmentSelection } from "../environment/environment-selection.ts";

/** Converts environment options to the form that is stored with a run. `undefined` for the local environment. */
export function toStoredEnvironment(selection: EnvironmentSelection | undefined): Record<string, string> | undefined {
  if (selection?.env === undefined || selection.env === "local") return undefined;
  const { env: place, envNetwork: network, envMemory: memory, envUser: user, workspace } = selection;
  return {
    place,
    ...(network === undefined ? {} : { network }),
    ...(memory === undefined ? {} : { memory }),
    ...(user === undefined ? {} : { user }),
    ...(workspace === undefined ? {} : { workspace }),
  };
}

/** Reads environment options from a stored run request. `undefined` for the local environment. */
export function fromStoredEnvironment(stored: unknown): EnvironmentSelection | undefined {
  if (typeof stored !== "object" || stored === null) return undefined;
  const text = (name: string): string | undefined => {
    const value: unknown = Reflect.get(stored, name);
    return typeof value === "string" ? value : undefined;
  };
  return {
    ...{ env: text("place"), envNetwork: text("network"), envMemory: text("memory") },
    ...{ envUser: text("user"), workspace: text("workspace") },
  };
}

/** Returns true if the files of an environment remain after the run's process has ended. */
export function hasPersistentFiles(selection: EnvironmentSelection | undefined): boolean {
  const parsed = parseEnvironmentName(environmentNameOf(selection ?? {}));
  if ("problem" in parsed) return true;
  return parsed.type !== "memory" && !(parsed.type === "kubernetes" && "image" in parsed);
}
