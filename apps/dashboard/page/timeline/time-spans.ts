import type { Envelope } from "@switchyard/contracts";

/** What a span of time was spent on: the model's response, a tool call, or waiting for the user. */
export type SpanKind = "model" | "tool" | "waiting";

/** Span of time on the axis of a run. */
export interface TimeSpan {
  readonly kind: SpanKind;
  readonly label: string;
  /** Start, in milliseconds since the start of the run, without pauses between attempts. */
  readonly startMs: number;
  /** End, like `startMs`. `undefined` while the span lasts. */
  endMs?: number | undefined;
}

type PromptPayload = Extract<Envelope, { type: "user_prompted" }>["payload"];

/** Pause between two attempts that stays on the axis, in milliseconds. */
const SHOWN_PAUSE_MS = 500;

/** Collects the spans of a run from its events. Each event is processed in constant time. */
export class TimeSpans {
  /** Spans in order of their start. */
  readonly spans: TimeSpan[] = [];
  /** Time of the last event, in milliseconds since the start of the run. */
  lastMs = 0;
  /** Offset of the axis: subtract it from a time since 1970. `undefined` before the first event. */
  originMs: number | undefined;
  readonly #open = new Map<string, TimeSpan>();
  /** Tool calls that wait for a permission, by the id of the question. */
  readonly #waiting = new Map<string, { readonly key: string; readonly label: string }>();

  /** Processes the next event. */
  take(envelope: Envelope): void {
    const atMs = this.#timeOf(envelope);
    const agentId = envelope.headers["agent_id"] ?? "";
    switch (envelope.type) {
      case "step_start":
      case "assistant_text_start":
        this.#begin(`model ${agentId}`, { kind: "model", label: "Model", startMs: atMs });
        break;
      case "assistant_text_end":
      case "step_complete":
      case "step_error":
        this.#end(`model ${agentId}`, atMs);
        break;
      case "tool_call_start":
        this.#end(`model ${agentId}`, atMs);
        this.#begin(`tool ${envelope.payload.id}`, { kind: "tool", label: envelope.payload.name, startMs: atMs });
        break;
      case "tool_call_end":
        this.#end(`tool ${envelope.payload.tool_call_id}`, atMs);
        break;
      case "user_prompted":
        this.#ask(envelope.payload, atMs);
        break;
      case "user_replied":
        this.#end(`waiting ${envelope.payload.prompt_id}`, atMs);
        break;
      case "run_end":
        for (const key of [...this.#open.keys()]) this.#end(key, atMs);
        break;
      default:
        break;
    }
  }

  /** Returns the time of an event on the axis. At the start of a later attempt, the pause is cut out. */
  #timeOf({ type, time }: Envelope): number {
    const ms = Date.parse(time);
    this.originMs ??= ms;
    if (type === "run_start") {
      for (const key of [...this.#open.keys()]) this.#end(key, this.lastMs);
      const pauseMs = ms - this.originMs - this.lastMs;
      if (pauseMs > SHOWN_PAUSE_MS) this.originMs += pauseMs - SHOWN_PAUSE_MS;
    }
    this.lastMs = Math.max(this.lastMs, ms - this.originMs);
    return this.lastMs;
  }

  /** A tool call that waits for a permission does not work, so its span begins after the answer. */
  #ask({ prompt_id: promptId, metadata = {} }: PromptPayload, atMs: number): void {
    const key = `tool ${metadata["call_id"] ?? ""}`;
    const tool = this.#open.get(key);
    this.#begin(`waiting ${promptId}`, { kind: "waiting", label: "Waiting for an answer", startMs: atMs });
    if (tool === undefined) return;
    this.#end(key, atMs);
    this.#waiting.set(promptId, { key, label: tool.label });
  }

  #begin(key: string, span: TimeSpan): void {
    if (this.#open.has(key)) return;
    this.#open.set(key, span);
    this.spans.push(span);
  }

  #end(key: string, atMs: number): void {
    const span = this.#open.get(key);
    if (span === undefined) return;
    this.#open.delete(key);
    span.endMs = atMs;
    const waiting = key.startsWith("waiting ") ? this.#waiting.get(key.slice("waiting ".length)) : undefined;
    if (waiting !== undefined) this.#begin(waiting.key, { kind: "tool", label: waiting.label, startMs: atMs });
  }
}
