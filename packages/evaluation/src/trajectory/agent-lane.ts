import type { Envelope } from "@switchyard/contracts";
import { isRecord } from "../files/is-record.ts";
import {
  addCall,
  addResponse,
  addResult,
  addUsage,
  type EventOf,
  emptyAgentStep,
  type OpenStep,
} from "./agent-step.ts";
import type { TrajectoryStep } from "./trajectory.ts";

/**
 * Name of an event header. If events cannot express a step of an imported trajectory completely, this header of its
 * first event contains the step as JSON.
 */
export const STEP_HEADER = "atif_step";
/** Finish reason of a partial response that was discarded. */
const DISCARDED = "retried";

/** Collects the steps of one agent of a run: the main agent or a subagent. */
export class AgentLane {
  readonly #steps: { step: OpenStep; imported: TrajectoryStep | undefined }[] = [];
  /** Steps by the ids of their tool calls. */
  readonly #calls = new Map<string, OpenStep>();
  /** Ids of calls that have not ended. */
  readonly #openCalls = new Set<string>();
  /** Ids of subagents by the call that started them. */
  readonly #subagents = new Map<string, string[]>();
  readonly #counted = new Set<string>();
  #current: OpenStep | undefined;
  /** Whether the engine reports where its steps begin and end. */
  #hasBoundaries = false;
  #pendingUsage: EventOf<"usage_reported">[] = [];
  #imported: TrajectoryStep | undefined;
  /** Model of the agent, `provider/name`. */
  model: string | undefined;

  /** True if there is a message or tool call of the agent. */
  get hasWork(): boolean {
    return this.#steps.some(({ step }) => step.source === "agent");
  }

  /** True if there is a message of the user. */
  get hasUser(): boolean {
    return this.#steps.some(({ step }) => step.source === "user");
  }

  /** Handles the next event of the agent. */
  add(event: Envelope): void {
    const header = event.headers[STEP_HEADER];
    if (header !== undefined) this.#imported = readStep(header);
    switch (event.type) {
      case "session_start":
        this.model ??= event.payload.model;
        break;
      case "user_input":
        this.#push({ timestamp: event.time, source: "user", message: event.payload.content });
        break;
      case "steering_injected":
        this.#push({
          ...{ timestamp: event.time, source: "user", message: event.payload.content },
          extra: { kind: "steering" },
        });
        break;
      case "notification":
        if (event.payload.kind === "system_message")
          this.#push({ timestamp: event.time, source: "system", message: event.payload.message });
        break;
      case "step_start":
        this.#current = undefined;
        this.#hasBoundaries = true;
        break;
      case "step_complete":
      case "step_error":
        this.#current = undefined;
        break;
      case "assistant_text_end":
        this.#addResponse(event);
        break;
      case "usage_reported":
        this.#addUsage(event);
        break;
      case "tool_call_start":
        this.#startCall(event);
        break;
      case "tool_call_end":
        this.#endCall(event);
        break;
      default:
    }
  }

  /** Assigns a subagent that has just started to the newest tool call that has not ended. */
  startSubagent(agentId: string): void {
    const call = [...this.#openCalls].at(-1);
    if (call === undefined) return;
    this.#subagents.set(call, [...(this.#subagents.get(call) ?? []), agentId]);
  }

  /** Returns the given first steps, followed by the steps of this agent, numbered from 1. */
  finish(first: readonly OpenStep[]): TrajectoryStep[] {
    const own = this.#steps.map(({ step, imported }) => imported ?? step);
    return [...first, ...own].map((step, index) => ({ step_id: index + 1, ...step }));
  }

  #push(step: OpenStep): void {
    this.#current = undefined;
    this.#steps.push({ step, imported: this.#imported });
    this.#imported = undefined;
  }

  #agentStep(time: string): OpenStep {
    if (this.#current !== undefined) return this.#current;
    const step = emptyAgentStep(time);
    this.#push(step);
    this.#current = step;
    for (const usage of this.#pendingUsage.splice(0)) addUsage(step, usage.payload, this.model);
    return step;
  }

  #addResponse({ payload, time }: EventOf<"assistant_text_end">): void {
    if (payload.finish_reason === DISCARDED) return;
    const { message = "", tool_calls: calls = [] } = this.#current ?? {};
    if (message !== "" || calls.length > 0) this.#current = undefined;
    // A response without text counts only if tool calls or usage follow.
    if (payload.content === "" && payload.reasoning === undefined && !this.#hasBoundaries) return;
    addResponse(this.#agentStep(time), payload);
  }

  #addUsage(event: EventOf<"usage_reported">): void {
    const { response_id: id } = event.payload;
    if (id !== undefined && this.#counted.has(id)) return;
    if (id !== undefined) this.#counted.add(id);
    const last = this.#current ?? this.#steps.findLast(({ step }) => step.source === "agent")?.step;
    if (last === undefined) this.#pendingUsage.push(event);
    else addUsage(last, event.payload, this.model);
  }

  #startCall({ payload, time }: EventOf<"tool_call_start">): void {
    const { tool_calls: calls = [] } = this.#current ?? {};
    // Without boundaries, a call after the results of others belongs to the next response.
    const isOver = calls.length > 0 && calls.every(({ tool_call_id }) => !this.#openCalls.has(tool_call_id));
    if (isOver && !this.#hasBoundaries) this.#current = undefined;
    const step = this.#agentStep(time);
    addCall(step, payload);
    this.#calls.set(payload.id, step);
    this.#openCalls.add(payload.id);
  }

  #endCall({ payload }: EventOf<"tool_call_end">): void {
    const { tool_call_id: id } = payload;
    const step = this.#calls.get(id);
    if (step === undefined) return;
    this.#openCalls.delete(id);
    addResult(step, payload, this.#subagents.get(id) ?? []);
    this.#subagents.delete(id);
  }
}

/** Reads a step from its header. The importer validated it before it was stored. */
function readStep(header: string): TrajectoryStep | undefined {
  const value: unknown = JSON.parse(header);
  return isStep(value) ? value : undefined;
}

function isStep(value: unknown): value is TrajectoryStep {
  return isRecord(value) && typeof value["step_id"] === "number" && "message" in value;
}
