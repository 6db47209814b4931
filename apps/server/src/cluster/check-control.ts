import { EngineError, type OpenQuestion, type RunControl } from "@switchyard/contracts";
import { answerRunSchema, interruptRunSchema, steerRunSchema } from "../api/run-schemas.ts";

/**
 * Checks a message to a run. A server has already checked it, but any process with access to the broker can send such
 * messages. Throws `server.bad_request` for texts that exceed the limits of the API, and for interrupts that only the
 * worker itself may request. Throws `prompt.unknown` for an answer to a question that is not open, or that is of
 * another kind than the one for which the server checked the caller's rights.
 */
export function checkControl(control: RunControl, questionOf: (promptId: string) => OpenQuestion | undefined): void {
  if (!isWithinLimits(control)) {
    throw new EngineError("server.bad_request", { problem: "a text field of the message is empty or too long" });
  }
  // A worker that shuts down returns its runs to the queue, so that another worker takes them. Callers may not do this:
  // any of them could move a run to another worker.
  if (control.kind === "interrupt" && control.interrupt.cause === "host_shutdown") {
    throw new EngineError("server.bad_request", { problem: "only the worker can interrupt its runs for a shutdown" });
  }
  if (control.kind !== "answer") return;
  const { promptId, promptKind } = control;
  const question = questionOf(promptId);
  const isApproval = question?.approval !== undefined;
  if (question === undefined || isApproval !== (promptKind === "approval")) {
    throw new EngineError("prompt.unknown", { promptId });
  }
}

function isWithinLimits(control: RunControl): boolean {
  switch (control.kind) {
    case "steer":
    case "follow_up":
      return steerRunSchema.safeParse({ text: control.text }).success;
    case "answer":
      return answerRunSchema.safeParse({ prompt_id: control.promptId, text: control.text }).success;
    case "interrupt":
      return interruptRunSchema.safeParse({ detail: control.interrupt.detail }).success;
  }
}
