import { EngineError, type RunCluster, type StoredRun } from "@switchyard/contracts";
import { readPatch } from "@switchyard/runner";
import type { Masker } from "@switchyard/secrets";
import { patchOnBroker } from "../cluster/outcome-files.ts";
import { maskedStream } from "./open-artifact.ts";

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
