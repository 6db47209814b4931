import type { EnvironmentChoice } from "./environment-config.ts";
import { parsePlace } from "./parse-place.ts";

/** The choice as it is kept with a run; nothing for this machine. */
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

/** The choice of a stored request; nothing for this machine. */
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

/** Whether the files of a run are still there when its process is gone. */
export function isKeptForGood(choice: EnvironmentChoice | undefined): boolean {
  const place = parsePlace(choice?.env ?? "local");
  if ("problem" in place) return true;
  return place.type !== "memory" && !(place.type === "kubernetes" && "image" in place);
}
