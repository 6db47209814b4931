import type { StreamEvent } from "@switchyard/contracts";

/** Whether an event delivers nothing of the answer yet: it only isEmptyEvent what is to come, or is a piece of nothing. */
export function isEmptyEvent(event: StreamEvent): boolean {
  switch (event.type) {
    case "stream_start":
    case "text_start":
    case "reasoning_start":
    case "tool_call_start":
      return true;
    case "text_delta":
    case "reasoning_delta":
      return event.text === "";
    case "tool_call_delta":
      return event.argumentsDelta === "";
    default:
      return false;
  }
}
