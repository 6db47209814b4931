import { EngineError, type RunCluster, type StoredRun } from "@switchyard/contracts";
import { readPatch } from "@switchyard/runner";
import type { Masker } from "@switchyard/secrets";
import { patchOnBroker } from "../cluster/outcome-files.ts";
import { maskedStream } from "./open-artifact.ts";

/**
 * Name of a file in the folder `patch` of a run on the broker. The file is stored for a forked run and contains the
 * changes of the run from which it was forked. The worker applies them before the run starts.
 */
export const START_PATCH = "start.patch";

/**
 * Opens the exact changes of a run that has ended. Masks the server's secrets in them. Rejects with `server.no_patch`
 * if the exact changes are not stored.
 */
export async function openPatch(
  stored: StoredRun,
  { masker, cluster }: { readonly masker: Masker; readonly cluster: RunCluster | undefined },
): Promise<ReadableStream<Uint8Array>> {
  const patch = cluster === undefined ? await readPatch(stored) : await patchOnBroker(stored, cluster);
  if (patch === undefined) throw new EngineError("server.no_patch", { runId: stored.runId });
  return maskedStream(Buffer.from(patch), masker);
}
