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
  const { hostFolder } = environmentFacts(place);
  if (hostFolder !== undefined) await prepare?.(hostFolder);
  return openEnvironment(place);
}
