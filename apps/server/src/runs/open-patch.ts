import { EngineError, type RunCluster, type StoredRun } from "@switchyard/contracts";
import { readPatch } from "@switchyard/runner";
import type { Masker } from "@switchyard/secrets";
import { maskedStream } from "./open-artifact.ts";

/**
 * Files on the broker that describe the patch of a run: its exact changes, or a mark that these are not stored. Without
 * both, the patch is the diff in the report. The file `start` contains the changes with which a forked run begins.
 */
export const PATCH_FILES = { exact: "exact.patch", none: "not-exact", start: "start.patch" } as const;

/**
 * Opens the exact changes of a run that has ended. Masks the server's secrets in them. Rejects with `server.no_patch` if
 * the exact changes are not stored.
 */
export async function openPatch(
  stored: StoredRun,
  { masker, cluster }: { readonly masker: Masker; readonly cluster: RunCluster | undefined },
): Promise<ReadableStream<Uint8Array>> {
  const patch = cluster === undefined ? await readPatch(stored) : await patchOnBroker(stored, cluster);
  if (patch === undefined) throw new EngineError("server.no_patch", { runId: stored.runId });
  return maskedStream(Buffer.from(patch), masker);
}

/** Resolves with the exact changes of a run that a worker executed. `undefined` if they are not stored. */
export async function patchOnBroker(
  { runId, report }: StoredRun,
  cluster: RunCluster,
): Promise<string | Uint8Array | undefined> {
  const exact = await cluster.readFile(runId, "patch", PATCH_FILES.exact);
  if (exact !== undefined) return exact;
  const isInexact = (await cluster.readFile(runId, "patch", PATCH_FILES.none)) !== undefined;
  return isInexact ? undefined : report?.workspaceDiff;
}
