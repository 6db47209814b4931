import type { StoredRun } from "@switchyard/contracts";
import { fromSettings } from "../run/run-settings.ts";

/**
 * Returns the folder on this machine that a run worked in, which has another path inside a container. `undefined` if
 * the workspace is on another machine.
 */
export function hostWorkspaceOf({ record, request }: Pick<StoredRun, "record" | "request">): string | undefined {
  const named = request === undefined ? undefined : fromSettings(request).environment?.workspace;
  const isHere = record?.environment === "local" || record?.environment === "sandbox";
  return named ?? (isHere ? record?.workspace : undefined);
}
