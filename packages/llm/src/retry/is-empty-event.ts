import type { StreamEvent } from "@switchyard/contracts";

/** Returns whether a stream event contains no content: the event announces content, or is an empty delta. */
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
