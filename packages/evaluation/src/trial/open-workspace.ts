import { type ConfiguredEnvironment, openConfiguredEnvironment } from "@switchyard/runner";
import type { AttemptContext } from "./attempt-context.ts";

/** Functions that are called while a workspace is open. */
interface WorkspaceCallbacks {
  /** Called before the environment is opened, but only if the environment uses the folder itself instead of a copy. */
  readonly prepare?: ((folder: string) => Promise<void>) | undefined;
  /** If the network allows only a list of hosts: called with a message for each request that was refused or failed. */
  readonly onRefusal?: ((message: string) => void) | undefined;
}

/** Opens the environment of a workspace folder. */
export async function openWorkspace(
  folder: string,
  { environment }: Pick<AttemptContext, "environment">,
  { prepare, onRefusal }: WorkspaceCallbacks = {},
): Promise<ConfiguredEnvironment> {
  const target = await environment(folder);
  if ("readFile" in target) return { environment: target, requests: undefined };
  const { environmentFacts, openEnvironment } = await import("@switchyard/environment");
  const { hostFolder } = environmentFacts(target);
  if (hostFolder !== undefined) await prepare?.(hostFolder);
  return openConfiguredEnvironment(target, openEnvironment, ({ verdict, message }) => {
    if (verdict !== "allowed") onRefusal?.(message);
  });
}
