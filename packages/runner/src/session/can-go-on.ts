import type { Engine, RunWriter } from "@switchyard/contracts";
import { capabilitiesOf } from "@switchyard/engine";

/** Whether a run was accepted and no more: nothing has been opened for it, nothing has been told of it. */
export function isUnbegun({ record, lastSeq }: Pick<RunWriter, "record" | "lastSeq">): boolean {
  return record.environment === undefined && lastSeq === 0;
}

/**
 * Whether an attempt could follow: nothing has happened yet, there is a checkpoint, or the engine makes one before its
 * first effect. Rejects with `checkpoint.*` where that cannot be told.
 */
export async function canGoOn(
  writer: Pick<RunWriter, "record" | "lastSeq" | "load">,
  engine: Engine,
): Promise<boolean> {
  if (isUnbegun(writer) || capabilitiesOf(engine).emitsCheckpoint === true) return true;
  return (await writer.load()) !== undefined;
}
