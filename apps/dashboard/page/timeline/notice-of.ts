import type { Envelope } from "@switchyard/contracts";
import type { NoticeEntry } from "./entry.ts";

type Payload<T extends Envelope["type"]> = Extract<Envelope, { type: T }>["payload"];
type Notice = Pick<NoticeEntry, "level" | "message">;

const LIMITS: Readonly<Record<Payload<"turn_limit">["limit"], (count: number) => string>> = {
  max_turns: (count) => `The limit of ${count} turns was reached.`,
  max_tool_rounds_per_input: (count) => `The limit of ${count} tool rounds was reached.`,
  max_total_tokens: (count) => `The token budget was reached at ${count} tokens.`,
  max_cost_micros: (count) => `The cost budget was reached at $${(count / 1_000_000).toFixed(2)}.`,
  max_wall_time_ms: (count) => `The time limit was reached after ${Math.round(count / 1_000)} s.`,
};

function retryText({ error, delay_ms: delayMs, is_partial: isPartial }: Payload<"model_call_retried">): string {
  const discarded = isPartial === true ? " The partial response was discarded." : "";
  return `Model call failed, retried after ${Math.round(delayMs / 100) / 10} s: ${error.message}${discarded}`;
}

function fallbackText({ from, to, error }: Payload<"model_fallback">): string {
  return `Model ${from} failed, ${to} is used from now on: ${error.message}`;
}

function requestText({ request, message }: Payload<"model_request_refused">): string {
  return `The model gateway refused request ${request}: ${message}`;
}

/** Returns the notice that an event becomes in the timeline; `undefined` for events that are shown otherwise. */
export function noticeOf(envelope: Envelope): Notice | undefined {
  switch (envelope.type) {
    case "warning":
    case "loop_detection":
    case "malformed_output":
    case "tool_call_refused":
      return { level: "warning", message: envelope.payload.message };
    case "error":
      return { level: "error", message: envelope.payload.message };
    case "notification":
      return { level: "info", message: envelope.payload.message };
    case "turn_limit":
      return { level: "warning", message: LIMITS[envelope.payload.limit](envelope.payload.count) };
    case "model_call_retried":
      return { level: "warning", message: retryText(envelope.payload) };
    case "model_fallback":
      return { level: "warning", message: fallbackText(envelope.payload) };
    case "model_request_refused":
      return { level: "warning", message: requestText(envelope.payload) };
    case "network_request_decided": {
      const { verdict, message } = envelope.payload;
      return { level: verdict === "allowed" ? "info" : "warning", message };
    }
    case "interrupt_requested":
      return {
        level: "info",
        message: `A stop was requested: ${envelope.payload.detail ?? envelope.payload.cause}.`,
      };
    case "retry_scheduled": {
      const { next_attempt: next, error } = envelope.payload;
      return { level: "warning", message: `Attempt ${next} follows: ${error.message}` };
    }
    default:
      return undefined;
  }
}
