import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { AttemptContext } from "./attempt-context.ts";

/**
 * Opens the environment of a workspace folder. `prepare` is called first if the environment uses the folder itself, and
 * not a copy of it.
 */
export async function openWorkspace(
  folder: string,
  { environment }: Pick<AttemptContext, "environment">,
  prepare?: (folder: string) => Promise<void>,
): Promise<ExecutionEnvironment> {
  const place = await environment(folder);
  if ("readFile" in place) return place;
  const { environmentFacts, openEnvironment } = await import("@switchyard/environment");
  const hasList = "network" in place && place.network?.startsWith("list:") === true;
  const { hostFolder } = environmentFacts(place);
  if (hostFolder !== undefined) await prepare?.(hostFolder);
  if (!hasList) return openEnvironment(place);
  const { openListedEnvironment } = await import("@switchyard/gateway/egress");
  return openListedEnvironment(place, () => {});
}
