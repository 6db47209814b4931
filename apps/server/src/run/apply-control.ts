import type { RunControl, SessionHandle } from "@switchyard/contracts";

/** Passes a message of a caller to the session that executes the run. Throws `prompt.unknown`. */
export function applyControl(handle: SessionHandle, control: RunControl): void {
  switch (control.kind) {
    case "steer":
      handle.steer(control.text);
      break;
    case "follow_up":
      handle.followUp(control.text);
      break;
    case "answer":
      handle.answer(control.promptId, { parts: [{ type: "text", text: control.text }] });
      break;
    case "interrupt":
      handle.interrupt(control.interrupt);
      break;
  }
}
