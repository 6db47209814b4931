import type * as Api from "@opentelemetry/api";
import type { Attributes, Context, Span, Tracer } from "@opentelemetry/api";
import { type Envelope, HEADER, type Usage, type WireError } from "@switchyard/contracts";
import type { Instruments } from "./instruments.ts";

// Span kinds and status codes of the OpenTelemetry API.
const [INTERNAL, CLIENT] = [0, 2];
const STATUS_ERROR = 2;
/** Maximum number of open spans of calls and subagents, for engines that never end them. */
const [MAX_OPEN_CALLS, MAX_SUBAGENTS] = [10_000, 1_000];
/**
 * Maximum number of model responses whose ids are remembered, so that they are not counted twice. The oldest id is
 * forgotten first.
 */
const MAX_ANSWERS = 10_000;

/** Data about a run whose events are exported. */
export interface ObservedRun {
  /** Name of the run's engine. */
  readonly engine: string;
  /** Model reference, `provider/name`. `undefined` if it is not known in advance. */
  readonly model?: string | undefined;
  /** Parent span, as a W3C `traceparent`. Invalid values are ignored. */
  readonly traceparent?: string | undefined;
}

/** Dependencies for creating spans. */
export interface SpanParts {
  readonly api: Pick<typeof Api, "trace" | "ROOT_CONTEXT">;
  readonly tracer: Tracer;
  readonly instruments: Instruments;
  /** Returns the name of a tool or model for metrics. */
  readonly metricName: (name: string) => string;
  /** Called with the context of a run's span when the run starts. */
  readonly onRun?: ((runId: string, context: Context) => void) | undefined;
}

/** One agent of a run: the main agent or a subagent. */
interface AgentScope {
  /** Id of the agent; empty for the main agent. */
  readonly agentId: string;
  readonly span: Span;
  readonly context: Context;
  readonly startedMs: number;
  turn: { readonly span: Span; readonly context: Context } | undefined;
  /** Time of the agent's last event, at which the next model call may have started, in milliseconds. */
  idleSinceMs: number;
}

interface OpenCall {
  readonly span: Span;
  readonly name: string;
  readonly startedMs: number;
}

type PayloadOf<T extends Envelope["type"]> = Extract<Envelope, { type: T }>["payload"];

/** Returns attributes without those that are `undefined`. */
function present(attributes: Readonly<Record<string, string | number | boolean | undefined>>): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}

/** Returns provider and model of a reference `provider/name`. */
function namesIn(model: string | undefined): { provider: string | undefined; name: string | undefined } {
  const slash = model?.indexOf("/") ?? -1;
  if (model === undefined || slash < 0) return { provider: undefined, name: model };
  return { provider: model.slice(0, slash), name: model.slice(slash + 1) };
}

/**
 * Creates the spans of one attempt of a run from its events, the same way for every engine. The run is an
 * `invoke_agent` span. Below it are turns, a `chat` span per response, `execute_tool` spans, and `invoke_agent` spans
 * of subagents.
 */
export class RunSpans {
  readonly #parts: SpanParts;
  readonly #run: ObservedRun;
  readonly #children = new Map<string, AgentScope>();
  readonly #calls = new Map<string, OpenCall>();
  readonly #counted = new Set<string>();
  #root: AgentScope | undefined;
  #model: string | undefined;

  /** Starts the spans of a run. */
  constructor(parts: SpanParts, run: ObservedRun) {
    this.#parts = parts;
    this.#run = run;
    this.#model = run.model;
  }

  /** Handles the next event. */
  take(envelope: Envelope): void {
    const atMs = Date.parse(envelope.time);
    if (envelope.type === "run_start") this.#begin(envelope, atMs);
    const lane = this.#children.get(envelope.headers[HEADER.agentId] ?? "") ?? this.#root;
    if (lane === undefined) return;
    switch (envelope.type) {
      case "session_start":
        this.#model ??= envelope.payload.model;
        break;
      case "step_start":
        this.#beginTurn(lane, envelope.payload.step, atMs);
        break;
      case "step_complete":
      case "step_error":
        this.#endTurn(lane, atMs, envelope.payload.error);
        break;
      case "usage_reported":
        this.#chat(lane, envelope.payload, atMs);
        break;
      case "tool_call_start":
        this.#beginCall(lane, envelope.payload, atMs);
        break;
      case "tool_call_end":
        this.#endCall(lane, envelope.payload, atMs);
        break;
      case "user_input":
      case "steering_injected":
        lane.idleSinceMs = atMs;
        break;
      case "subagent_started":
        this.#beginChild(lane, envelope.payload, atMs);
        break;
      case "subagent_ended":
        this.#endChild(envelope.payload, atMs);
        break;
      case "run_end":
        this.#end(envelope.payload, atMs);
        break;
      default:
        break;
    }
  }

  #begin(envelope: Extract<Envelope, { type: "run_start" }>, atMs: number): void {
    if (this.#root !== undefined) return;
    const runId = envelope.headers[HEADER.runId] ?? "";
    this.#root = this.#openLane(this.#outside(), { agentId: "", name: this.#run.engine, atMs });
    this.#root.span.setAttributes({
      "gen_ai.conversation.id": runId,
      "switchyard.run.id": runId,
      "switchyard.run.attempt": envelope.attempt,
      "switchyard.run.resumed": envelope.payload.resumed,
    });
    this.#parts.onRun?.(runId, this.#root.context);
  }

  /** Returns the context of the parent span, or the root context if there is no valid parent span. */
  #outside(): Context {
    const { trace, ROOT_CONTEXT } = this.#parts.api;
    const [, traceId, spanId, flags] =
      /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(this.#run.traceparent ?? "") ?? [];
    if (traceId === undefined || spanId === undefined || /^0+$/.test(traceId) || /^0+$/.test(spanId))
      return ROOT_CONTEXT;
    const traceFlags = Number.parseInt(flags ?? "0", 16) & 1;
    return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
  }

  #openLane(outer: Context, { agentId, name, atMs }: { agentId: string; name: string; atMs: number }): AgentScope {
    const attributes = { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": name };
    const span = this.#parts.tracer.startSpan(
      `invoke_agent ${name}`,
      { kind: INTERNAL, startTime: atMs, attributes },
      outer,
    );
    const context = this.#parts.api.trace.setSpan(outer, span);
    return { agentId, span, context, startedMs: atMs, turn: undefined, idleSinceMs: atMs };
  }

  #beginTurn(lane: AgentScope, step: string, atMs: number): void {
    this.#endTurn(lane, atMs, undefined);
    const attributes = { "switchyard.step": step };
    const span = this.#parts.tracer.startSpan("turn", { kind: INTERNAL, startTime: atMs, attributes }, lane.context);
    lane.turn = { span, context: this.#parts.api.trace.setSpan(lane.context, span) };
  }

  #endTurn(lane: AgentScope, atMs: number, error: WireError | undefined): void {
    if (lane.turn === undefined) return;
    fail(lane.turn.span, error);
    lane.turn.span.end(atMs);
    lane.turn = undefined;
  }

  /**
   * Records a model response when its usage is reported. Usage that was reported before a crash is not recorded again.
   * See durability promise D14.
   */
  #chat(lane: AgentScope, { response_id: responseId, usage }: PayloadOf<"usage_reported">, atMs: number): void {
    if (responseId !== undefined && this.#counted.has(responseId)) return;
    if (responseId !== undefined) this.#remember(responseId);
    const { provider, name = usage.model } = namesIn(this.#model);
    const startTime = usage.latencyMs === undefined ? lane.idleSinceMs : atMs - usage.latencyMs;
    const known = present({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": provider,
      "gen_ai.request.model": name,
      "gen_ai.response.model": usage.model,
    });
    const attributes = { ...known, ...present({ "gen_ai.response.id": responseId, ...countsOf(usage) }) };
    const title = name === undefined ? "chat" : `chat ${name}`;
    this.#parts.tracer
      .startSpan(title, { kind: CLIENT, startTime, attributes }, lane.turn?.context ?? lane.context)
      .end(atMs);
    const { instruments, metricName } = this.#parts;
    const measured = Object.fromEntries(Object.entries(known).map(([key, value]) => [key, metricName(String(value))]));
    instruments.tokens.record(usage.inputTokens, { ...measured, "gen_ai.token.type": "input" });
    instruments.tokens.record(usage.outputTokens, { ...measured, "gen_ai.token.type": "output" });
    instruments.durations.record(Math.max(0, atMs - startTime) / 1_000, measured);
    lane.idleSinceMs = atMs;
  }

  #remember(responseId: string): void {
    const [oldest] = this.#counted;
    if (this.#counted.size >= MAX_ANSWERS && oldest !== undefined) this.#counted.delete(oldest);
    this.#counted.add(responseId);
  }

  #beginCall(lane: AgentScope, { id, name }: PayloadOf<"tool_call_start">, atMs: number): void {
    const key = keyOf(lane, id);
    if (this.#calls.has(key) || this.#calls.size >= MAX_OPEN_CALLS) return;
    const attributes = {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": name,
      "gen_ai.tool.call.id": id,
      "gen_ai.tool.type": "function",
    };
    const options = { kind: INTERNAL, startTime: atMs, attributes };
    const span = this.#parts.tracer.startSpan(`execute_tool ${name}`, options, lane.turn?.context ?? lane.context);
    this.#calls.set(key, { span, name, startedMs: atMs });
  }

  #endCall(
    lane: AgentScope,
    { tool_call_id: id, is_error: isError, cancelled }: PayloadOf<"tool_call_end">,
    atMs: number,
  ): void {
    lane.idleSinceMs = atMs;
    const key = keyOf(lane, id);
    const call = this.#calls.get(key);
    if (call === undefined) return;
    this.#calls.delete(key);
    const errorType = cancelled === true ? "cancelled" : isError === true ? "tool_error" : undefined;
    if (errorType !== undefined) {
      call.span.setAttribute("error.type", errorType);
      call.span.setStatus({ code: STATUS_ERROR });
    }
    call.span.end(atMs);
    this.#parts.instruments.durations.record(
      Math.max(0, atMs - call.startedMs) / 1_000,
      present({
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": this.#parts.metricName(call.name),
        "error.type": errorType,
      }),
    );
  }

  #beginChild(lane: AgentScope, { agent_id: agentId }: PayloadOf<"subagent_started">, atMs: number): void {
    if (this.#children.has(agentId) || this.#children.size >= MAX_SUBAGENTS) return;
    const outer = lane.turn?.context ?? lane.context;
    this.#children.set(agentId, this.#openLane(outer, { agentId, name: agentId, atMs }));
  }

  #endChild({ agent_id: agentId, status }: PayloadOf<"subagent_ended">, atMs: number): void {
    const child = this.#children.get(agentId);
    if (child === undefined) return;
    this.#children.delete(agentId);
    this.#endTurn(child, atMs, undefined);
    if (status === "failed") child.span.setStatus({ code: STATUS_ERROR });
    child.span.end(atMs);
  }

  /** Ends the span of the run, and all other spans that are still open. */
  #end({ outcome, error }: PayloadOf<"run_end">, atMs: number): void {
    const root = this.#root;
    if (root === undefined) return;
    this.#root = undefined;
    for (const { span } of this.#calls.values()) span.end(atMs);
    for (const child of this.#children.values()) {
      this.#endTurn(child, atMs, undefined);
      child.span.end(atMs);
    }
    this.#endTurn(root, atMs, undefined);
    const { provider, name } = namesIn(this.#model);
    root.span.setAttributes(
      present({ "switchyard.run.outcome": outcome, "gen_ai.provider.name": provider, "gen_ai.request.model": name }),
    );
    fail(root.span, error);
    root.span.end(atMs);
    const known = { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": this.#run.engine };
    const seconds = Math.max(0, atMs - root.startedMs) / 1_000;
    this.#parts.instruments.durations.record(seconds, { ...known, ...present({ "error.type": error?.code }) });
    this.#calls.clear();
    this.#children.clear();
  }
}

/** Returns a key that identifies a tool call within a run. Call ids are unique only within one agent. */
function keyOf({ agentId }: AgentScope, callId: string): string {
  return `${agentId}\0${callId}`;
}

/** Records a failure with the code and message of the error table, which contain no model text. */
function fail(span: Span, error: WireError | undefined): void {
  if (error === undefined) return;
  span.setAttribute("error.type", error.code);
  span.setStatus({ code: STATUS_ERROR, message: error.code });
}

function countsOf(usage: Usage): Record<string, number | undefined> {
  return {
    "gen_ai.usage.input_tokens": usage.inputTokens,
    "gen_ai.usage.output_tokens": usage.outputTokens,
    "gen_ai.usage.cache_read.input_tokens": usage.cacheReadTokens,
    "gen_ai.usage.cache_creation.input_tokens": usage.cacheWriteTokens,
    "switchyard.cost.micros": usage.costMicros,
  };
}
