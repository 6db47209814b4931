import { EngineError, type SessionResult } from "@switchyard/contracts";
import { checkSessionResult } from "@switchyard/contracts/schemas";
import { writeJson } from "@switchyard/terminal";

/** Validates a `SessionResult` and writes it to a file as JSON. Rejects with `output.unwritable`. */
export async function writeResult(path: string, result: SessionResult): Promise<void> {
  const checked = checkSessionResult(result);
  if (!checked.valid) {
    const problem = `the engine's result is not a valid SessionResult: ${checked.problems.join("; ")}`;
    throw new EngineError("output.unwritable", { path, problem });
  }
  await writeJson(path, checked.value);
}
