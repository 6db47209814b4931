import {
  type AgentEvent,
  type AgentEventType,
  type AgentPermissionRequest,
  isoTime,
  messageOf,
  type RunTurnOptions,
  type TurnResult,
  type Usage,
} from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";
import type { TurnReport, TurnVerdict } from "../outcome/decide-turn.ts";
import { MAX_NOTICE_CHARS, shortenText, truncateMiddle } from "../output/shorten-text.ts";
import { createToolTracker, type ToolTracker } from "../tool/create-tool-tracker.ts";
import type { UsageAccumulator } from "../usage/create-usage-accumulator.ts";
import { boundData } from "./bound-data.ts";
import type { TurnClock } from "./turn-clock.ts";
import type { PermissionDecision, ToolEnd, ToolStart, TurnScope } from "./turn-scope.ts";

/** Maximum number of characters of one model text or one tool's output. */
const MAX_TEXT_CHARS = 1024 * 1024;
const MAX_OUTPUT_CHARS = 256 * 1024;
/** Maximum number of characters of the agent's failure reason. The rest is cut off. */
const MAX_PROBLEM_CHARS = 4 * 1024;

/** Output of a tool whose end was not reported. */
const CUT_OFF = "(the turn ended before the tool did)";

/** State that a session preserves across its turns. */
export interface SessionMemory {
  /** The agent's session id; empty until the agent reports it. */
  sessionId: string;
  /** True if `session_started` was emitted. */
  isAnnounced: boolean;
  /** Model that responds. */
  model?: string | undefined;
  /** Usage since the session started. */
  readonly usage: UsageAccumulator;
}

/** Options for a turn recorder. */
export interface TurnRecorderOptions {
  readonly memory: SessionMemory;
  readonly masker: Masker;
  /** Returns the time for timestamps, in milliseconds since 1970. */
  readonly now: () => number;
  /** Called with each event. */
  readonly deliver: (event: AgentEvent) => void;
  /** Called when the turn must end because the agent asks the user. */
  readonly onQuestion: () => void;
  /**
   * Clock with the time limits of the turn. When the agent reports a result, the grace period for the exit of its
   * process starts.
   */
  readonly clock: Omit<TurnClock, "responded" | "stop" | typeof Symbol.dispose>;
  /** Asks the user for a permission. Default: permissions are denied. */
  readonly askPermission?: RunTurnOptions["askPermission"];
}

type Details = Omit<AgentEvent, "type" | "timestamp" | "agentPid">;

/**
 * Converts an adapter's reports to events with secrets masked. Collects the observations from which `decideTurn`
 * decides how the turn ended.
 */
export class TurnRecorder implements TurnScope {
  readonly #options: TurnRecorderOptions;
  readonly #tools: ToolTracker = createToolTracker();
  #isOver = false;
  #eventCount = 0;
  #resultText = "";
  readonly #ended = new AbortController();
  /** Process id of the agent. */
  agentPid: number | undefined;
  /** True if model text or a tool call was seen, including rejected calls. */
  worked = false;
  /** Question that the agent asks the user. */
  question: string | undefined;
  /** The agent's last report. */
  lastReport: TurnReport | undefined;
  /** The model's last text. */
  finalMessage = "";

  constructor(options: TurnRecorderOptions) {
    this.#options = options;
    options.memory.usage.beginTurn();
  }

  /** Number of events so far. */
  get eventCount(): number {
    return this.#eventCount;
  }

  /** Emits an event; nothing is emitted after the last event of the turn. */
  emit(type: AgentEventType, details: Details = {}): void {
    if (this.#isOver) return;
    const { masker, now, deliver, clock } = this.#options;
    this.#eventCount += 1;
    clock.alive();
    const pid = this.agentPid === undefined ? {} : { agentPid: this.agentPid };
    deliver({ type, timestamp: isoTime(now()), ...pid, ...masker.maskData(details) });
  }

  sessionStarted(id: string, { model }: { readonly model?: string | undefined } = {}): void {
    const { memory } = this.#options;
    if (model !== undefined) memory.model = model;
    const isNew = !memory.isAnnounced;
    const changed = id !== "" && id !== memory.sessionId && memory.sessionId !== "" && !isNew;
    if (id !== "") memory.sessionId = id;
    if (isNew) {
      memory.isAnnounced = true;
      this.emit("session_started", { sessionId: id, ...(model === undefined ? {} : { model }) });
    } else if (changed) this.notify("the agent continued with another session id");
  }

  model(name: string): void {
    this.#options.memory.model = name;
  }

  text(text: string): void {
    if (text.trim() === "") {
      this.notify("");
      return;
    }
    this.worked = true;
    const message = this.#message(text);
    // Text that arrives after the result does not replace the result as final message.
    if (!this.#options.clock.isExitExpected || this.finalMessage === "") this.finalMessage = message;
    this.emit("assistant_text", { message });
  }

  toolStarted({ id, name, arguments: given }: ToolStart): void {
    this.worked = true;
    this.#tools.begin(id, name);
    // Text is masked before it is truncated, because a partial secret would not be recognised.
    const toolArguments = boundData(this.#options.masker.maskData(given));
    this.emit("tool_started", { toolCallId: id, toolName: name, toolArguments });
  }

  toolEnded(id: string, { output = "", isError = false, durationMs }: ToolEnd = {}): void {
    const ended = this.#tools.end(id);
    if (ended === undefined) return;
    const message = truncateMiddle(this.#options.masker.mask(output), MAX_OUTPUT_CHARS);
    const toolDurationMs = Math.max(0, Math.round(durationMs ?? ended.durationMs));
    this.emit("tool_result", { toolCallId: id, toolName: ended.name, toolDurationMs, toolError: isError, message });
  }

  toolRefused(name: string): void {
    this.worked = true;
    this.emit("unsupported_tool_call", { toolName: name, message: `the agent asked for the tool ${name}` });
  }

  requestUsage(...given: Parameters<TurnScope["requestUsage"]>): void {
    this.#options.memory.usage.request(...given);
    this.#reportUsage({});
  }

  turnUsage(tokens: Parameters<TurnScope["turnUsage"]>[0], details: { apiDurationMs?: number | undefined } = {}): void {
    this.#options.memory.usage.turnTotal(tokens);
    this.#reportUsage(details);
  }

  conversationUsage(...given: Parameters<TurnScope["conversationUsage"]>): void {
    this.#options.memory.usage.conversationTotal(...given);
    this.#reportUsage({});
  }

  #reportUsage({ apiDurationMs }: { apiDurationMs?: number | undefined }): void {
    const { usage, model } = this.#options.memory;
    const total: Usage = usage.total();
    this.emit("token_usage", {
      usage: total,
      ...(model === undefined ? {} : { model }),
      ...(apiDurationMs === undefined ? {} : { apiDurationMs }),
    });
  }

  notify(message: string): void {
    this.emit("notification", { message: this.#notice(message) });
  }

  other(message: string): void {
    this.emit("other_message", { message: this.#notice(message) });
  }

  /** Emits a line that could not be parsed. */
  malformed(line: string): void {
    this.emit("malformed", { message: this.#notice(line) });
  }

  permissionRefused(what: string): void {
    this.worked = true;
    this.notify(`a permission was refused: ${what}`);
  }

  async requestPermission(request: AgentPermissionRequest): Promise<PermissionDecision> {
    const { askPermission, clock, masker } = this.#options;
    const { title } = request;
    if (askPermission === undefined) {
      this.permissionRefused(title);
      return "denied";
    }
    this.worked = true;
    using _ = clock.pause();
    const signal = AbortSignal.any([clock.signal, this.#ended.signal]);
    try {
      const isAllowed = await askPermission(masker.maskData(request), signal);
      if (isAllowed) this.notify(`permitted by the user: ${title}`);
      else this.permissionRefused(title);
      return isAllowed ? "allowed" : "denied";
    } catch (error) {
      if (signal.aborted) return "cancelled";
      this.permissionRefused(`${title} (${messageOf(error)})`);
      return "denied";
    }
  }

  asksPerson(question: string): void {
    this.question ??= this.#notice(question);
    this.#options.onQuestion();
  }

  report(report: TurnReport): void {
    const { clock } = this.#options;
    // A process that is being ended after its result may report that it was stopped. Such a report is ignored.
    if (clock.isGraceOver && this.lastReport !== undefined) return;
    this.lastReport = report.kind === "failure" ? { ...report, problem: this.#problem(report.problem) } : report;
    this.#takeResult(report.kind === "success" ? (report.text ?? "") : "");
    clock.expectExit();
  }

  /** Sets the final message. Publishes the result as a separate event only if the turn had no text. */
  #takeResult(text: string): void {
    const isText = text.trim() !== "";
    if (isText && this.finalMessage === "") this.text(text);
    this.#resultText = isText ? this.#message(text) : "";
  }

  expectExit(): void {
    this.#options.clock.expectExit();
  }

  expectOutput(): void {
    this.#options.clock.expectOutput();
  }

  /** Emits how the turn ended, as its last event, and returns the result. */
  end({ exitReason, error }: TurnVerdict): TurnResult {
    // A call without an end would be displayed as running forever. See architecture: decision 11.
    for (const id of this.#tools.open()) this.toolEnded(id, { output: CUT_OFF, isError: true });
    this.emit(exitReason, error === undefined ? {} : { message: error.message });
    this.#isOver = true;
    this.#ended.abort();
    const { memory } = this.#options;
    return {
      ...{ sessionId: memory.sessionId, exitReason, finalMessage: this.#resultText || this.finalMessage },
      ...{ usage: memory.usage.total(), usageMeasured: memory.usage.isMeasured },
      ...(memory.model === undefined ? {} : { model: memory.model }),
      ...(error === undefined ? {} : { error }),
    };
  }

  #message(text: string): string {
    return truncateMiddle(this.#options.masker.mask(text), MAX_TEXT_CHARS);
  }

  #problem(text: string): string {
    return shortenText(this.#options.masker.mask(text), MAX_PROBLEM_CHARS);
  }

  #notice(message: string): string {
    return shortenText(this.#options.masker.mask(message), MAX_NOTICE_CHARS);
  }
}
