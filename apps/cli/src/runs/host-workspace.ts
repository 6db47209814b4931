import type { StoredRun } from "@switchyard/contracts";
import { fromSettings } from "../run/run-settings.ts";

/** Folder of this machine that a run worked in: in a container its workspace has another path. Nothing where it is elsewhere. */
export function hostWorkspaceOf({ record, request }: Pick<StoredRun, "record" | "request">): string | undefined {
  const named = request === undefined ? undefined : fromSettings(request).environment?.workspace;
  const isHere = record?.environment === "local" || record?.environment === "sandbox";
  return named ?? (isHere ? record?.workspace : undefined);
}
