import type { StreamEvent } from "@switchyard/contracts";

/** Returns true for stream events without content: events that only announce content, and empty deltas. */
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
