import type { ExecutionEnvironment } from "@switchyard/contracts";
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
): Promise<ExecutionEnvironment> {
  const target = await environment(folder);
  if ("readFile" in target) return target;
  const { environmentFacts, openEnvironment } = await import("@switchyard/environment");
  const hasList = "network" in target && target.network?.startsWith("list:") === true;
  const { hostFolder } = environmentFacts(target);
  if (hostFolder !== undefined) await prepare?.(hostFolder);
  if (!hasList) return openEnvironment(target);
  const { openListedEnvironment } = await import("@switchyard/gateway/egress");
  return openListedEnvironment(target, ({ verdict, message }) => {
    if (verdict !== "allowed") onRefusal?.(message);
  });
}
