import type { StoredRun } from "@switchyard/contracts";
import { fromSettings } from "@switchyard/settings";

/**
 * Returns the workspace folder of a run on this machine. Inside a container, the same folder has another path.
 * `undefined` if the workspace is on another machine.
 */
export function hostWorkspaceOf({ record, request }: Pick<StoredRun, "record" | "request">): string | undefined {
  const named = request === undefined ? undefined : fromSettings(request).environment?.workspace;
  const isHere = record?.environment === "local" || record?.environment === "sandbox";
  return named ?? (isHere ? record?.workspace : undefined);
}
