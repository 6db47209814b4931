import { DEPENDENCY, type ModelCallRecorder, type Run } from "@switchyard/contracts";
import { isRecord } from "../input/is-record.ts";

/** Returns the recorder of a run's model calls. `undefined` if the host of the run does not record them. */
export function recorderOf({ deps }: Run): ModelCallRecorder | undefined {
  const recorder = deps.get(DEPENDENCY.llmRecorder);
  return isRecorder(recorder) ? recorder : undefined;
}

function isRecorder(value: unknown): value is ModelCallRecorder {
  return isRecord(value) && typeof value["write"] === "function" && typeof value["maskData"] === "function";
}
