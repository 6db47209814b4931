import {
  type AgentEvent,
  type Envelope,
  type EnvelopeOf,
  type EventPayloads,
  type EventType,
  type Host,
  isEventType,
} from "@switchyard/contracts";
import { createEnvelope, type EnvelopeOptions } from "@switchyard/engine";

/** Publishes events of an agent in order, without blocking the agent. */
export interface EventPublisher {
  /** Publishes an event after all earlier ones. */
  publish<T extends EventType>(type: T, data: EventPayloads[T]): void;
  /** Publishes an adapter event under the name that it has in the event table, the list of all event types. */
  emit(event: AgentEvent): void;
  /** Resolves when the host has received everything. */
  settled(): Promise<void>;
}

function isEnvelope(envelope: EnvelopeOf<EventType>): envelope is Envelope {
  return isEventType(envelope.type);
}

/** Creates a publisher for one run. */
export function createEventPublisher(host: Pick<Host, "publish">, marks: EnvelopeOptions): EventPublisher {
  let queue: Promise<void> = Promise.resolve();
  function publish<T extends EventType>(type: T, data: EventPayloads[T]): void {
    const envelope = createEnvelope<EventType>(type, data, marks);
    if (!isEnvelope(envelope)) return;
    queue = queue.then(async () => {
      try {
        await host.publish(envelope);
      } catch {
        // Failures are ignored here, because the host records a publish failure.
      }
    });
  }
  return { publish, emit: (event) => publishEvent(publish, event), settled: () => queue };
}

type Publish = EventPublisher["publish"];

/**
 * Publishes an adapter event under the name that it has in the event table, the list of all event types. Usage, and the
 * way a turn ended, are published by the engine instead.
 */
function publishEvent(publish: Publish, event: AgentEvent): void {
  const { message = "", model, agentPid } = event;
  switch (event.type) {
    case "session_started":
      publish("session_start", {
        session_id: event.sessionId ?? "",
        ...(model === undefined ? {} : { model }),
        ...(agentPid === undefined ? {} : { agent_pid: agentPid }),
      });
      return;
    case "assistant_text":
      publish("assistant_text_end", { content: message });
      return;
    case "tool_started":
    case "tool_result":
      publishTool(publish, event);
      return;
    case "notification":
      // An empty notification is a heartbeat and is not published.
      message === "" ? undefined : publish("notification", { message });
      return;
    case "other_message":
      publish("other_message", { message });
      return;
    case "malformed":
      publish("malformed_output", { message });
      return;
    case "unsupported_tool_call":
      publish("tool_call_refused", { message });
      return;
    case "approval_auto_approved":
      publish("approval_decided", {
        ...{ tool_call_id: event.toolCallId ?? "", name: event.toolName ?? "" },
        ...{ decision: "allow", decided_by: "agent" },
      });
      return;
    case "token_usage":
    case "startup_failed":
    case "turn_completed":
    case "turn_failed":
    case "turn_cancelled":
    case "turn_ended_with_error":
    case "turn_input_required":
      undefined;
      return;
  }
}

function publishTool(publish: Publish, event: AgentEvent): void {
  const { toolCallId = "", toolName = "", toolArguments, message = "", toolDurationMs, toolError } = event;
  if (event.type === "tool_started") {
    publish("tool_call_start", {
      ...{ type: "tool_call", id: toolCallId, name: toolName },
      ...(toolArguments === undefined ? {} : { arguments: toolArguments }),
    });
    return;
  }
  publish("tool_call_end", {
    ...{ type: "tool_result", tool_call_id: toolCallId, name: toolName, content: message },
    ...(toolError === true ? { is_error: true } : {}),
    ...(toolDurationMs === undefined ? {} : { duration_ms: toolDurationMs }),
  });
}
