import { EngineError } from "@switchyard/contracts";

/** Returns the error for a message to a run that is not active. */
export function notAtWork(runId: string, status: string): EngineError {
  return new EngineError("server.run_not_at_work", { runId, status });
}
