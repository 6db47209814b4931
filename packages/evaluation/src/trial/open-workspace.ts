import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { AttemptContext } from "./attempt-context.ts";

/** Opens the environment of a workspace folder. */
export async function openWorkspace(folder: string, { environment }: AttemptContext): Promise<ExecutionEnvironment> {
  const place = await environment(folder);
  if ("readFile" in place) return place;
  const { openEnvironment } = await import("@switchyard/environment");
  return openEnvironment(place);
}
