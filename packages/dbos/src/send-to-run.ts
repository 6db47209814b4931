import { DBOS } from "@dbos-inc/dbos-sdk";
import type { UserReply } from "@switchyard/contracts";
import type { RunSignal } from "@switchyard/engine";
import { RUN_SIGNALS } from "./run-topics.ts";

function send(workflowId: string, signal: RunSignal): Promise<void> {
  return DBOS.send(workflowId, signal, RUN_SIGNALS);
}

/** Sends a message to the engine of a run. The engine receives the message in the run's next step. */
export function steerRun(workflowId: string, text: string): Promise<void> {
  return send(workflowId, { type: "steer", text });
}

/** Sends a message that the engine handles after its current task. */
export function followUpRun(workflowId: string, text: string): Promise<void> {
  return send(workflowId, { type: "follow_up", text });
}

/** Answers a question of a run. `promptId` is the id of the question in the run's status. */
export function answerRun(workflowId: string, promptId: string, reply: string | UserReply): Promise<void> {
  return send(workflowId, { type: "answer", prompt_id: promptId, reply });
}

/**
 * Cancels a run before its next step. The workflow ends normally, with the status `cancelled` in its result. To stop a
 * step that is being executed, use `DBOS.cancelWorkflow`; the workflow then has no result.
 */
export function cancelRun(workflowId: string): Promise<void> {
  return send(workflowId, { type: "cancel" });
}
