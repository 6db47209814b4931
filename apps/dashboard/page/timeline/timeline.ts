import { addUsage, type Envelope, NO_USAGE, type Part, type RunStatus } from "@switchyard/contracts";
import type {
  AnswerUsage,
  ApprovalSubject,
  Entry,
  EntryBase,
  Lane,
  MessageEntry,
  NoticeEntry,
  QuestionEntry,
  SubagentEntry,
  ToolEntry,
  TurnEntry,
} from "./entry.ts";
import { noticeOf } from "./notice-of.ts";
import { TimeSpans } from "./time-spans.ts";

/** State of one agent while its events are processed. */
interface Track {
  readonly lane: Lane;
  /** Entries that contain this agent's entries, innermost first. Their versions increase with each change. */
  readonly above: EntryBase[];
  turns: number;
  turn: TurnEntry | undefined;
  text: MessageEntry | undefined;
}

type Payloads = { [T in Envelope["type"]]: Extract<Envelope, { type: T }>["payload"] };

/** Agent and time of the event that is processed. */
interface Happening {
  readonly track: Track;
  readonly atMs: number;
}

function textOf(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the allowed answers that the JSON Schema of a question lists. */
function choicesIn(schema: unknown): readonly string[] {
  const listed = isRecord(schema) ? schema["enum"] : undefined;
  return Array.isArray(listed) ? listed.filter((choice): choice is string => typeof choice === "string") : [];
}

function argumentsText(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** Returns the tool call that an approval question is about. `undefined` for other questions. */
function approvalIn(metadata: Payloads["user_prompted"]["metadata"] = {}): ApprovalSubject | undefined {
  const { kind, tool = "tool", call_id: callId = "", arguments: args = "", command, folder, reason } = metadata;
  if (kind !== "approval") return undefined;
  return { tool, callId, arguments: args, command, folder, reason, agentId: metadata["agent_id"] };
}

/**
 * Events of a run as a tree: turns with messages and tool calls, and subagents with turns of their own. Each event is
 * processed in constant time. Changed entries get a greater `version`.
 */
export class Timeline {
  /** Entries of the root agent. */
  readonly lane: Lane = { entries: [] };
  /** Tokens and cost of each model response. */
  readonly usages: AnswerUsage[] = [];
  /** Spans of time on the axis of the run. */
  readonly time = new TimeSpans();
  /** Version of the timeline. Increases with each event. */
  version = 0;
  /** Sequence number of the last stored event. */
  seq = 0;
  /** Status of the run, according to its events. `undefined` until an event contains it. */
  status: RunStatus | undefined;
  /** Number of saved checkpoints. */
  checkpoints = 0;
  readonly #root: Track = { lane: this.lane, above: [], turns: 0, turn: undefined, text: undefined };
  readonly #tracks = new Map<string, Track>();
  readonly #subagents = new Map<string, SubagentEntry>();
  readonly #tools = new Map<string, { entry: ToolEntry; track: Track }>();
  readonly #questions = new Map<string, QuestionEntry>();
  readonly #steering: MessageEntry[] = [];
  readonly #counted = new Set<string>();
  #keys = 0;
  /** Message of the last `error` event of this attempt. Used to avoid reporting the same failure twice. */
  #failure: string | undefined;

  /** Questions that are not answered yet. */
  get openQuestions(): readonly QuestionEntry[] {
    return Array.from(this.#questions.values()).filter(({ answer }) => answer === undefined);
  }

  /** Processes the next event. */
  take(envelope: Envelope): void {
    this.version += 1;
    if (envelope.seq !== undefined) this.seq = envelope.seq;
    this.time.take(envelope);
    const agentId = envelope.headers["agent_id"] ?? "";
    const track = this.#tracks.get(agentId) ?? this.#root;
    const happening = { track, atMs: Date.parse(envelope.time) };
    if (!this.#takeSpeech(envelope, happening) && !this.#takeCall(envelope, happening))
      this.#takeRest(envelope, happening);
  }

  /** Processes messages, questions and turns. Returns false for other events. */
  #takeSpeech(envelope: Envelope, { track, atMs }: Happening): boolean {
    switch (envelope.type) {
      case "user_input":
        this.#addMessage(track, { speaker: "user", content: envelope.payload.content });
        return true;
      case "assistant_text_start":
        track.text = this.#addMessage(track, { speaker: "agent", content: "", isOpen: true });
        return true;
      case "assistant_text_delta":
        this.#grow(track, { content: envelope.payload.content });
        return true;
      case "reasoning_delta":
        this.#grow(track, { reasoning: envelope.payload.content });
        return true;
      case "assistant_text_end":
        this.#endText(track, envelope.payload);
        return true;
      case "control_received":
        this.#steering.push(
          this.#addMessage(track, { speaker: "steering", content: envelope.payload.content, isOpen: true }),
        );
        return true;
      case "steering_injected":
        this.#deliver(track, envelope.payload.content);
        return true;
      case "user_prompted":
        this.#ask({ track, atMs }, envelope.payload);
        return true;
      case "user_replied":
        this.#answer(envelope.payload, atMs);
        return true;
      case "step_start":
        this.#beginTurn(track, atMs);
        return true;
      case "step_complete":
      case "step_error":
        this.#endTurn(track, atMs, envelope.payload.error?.message);
        return true;
      default:
        return false;
    }
  }

  /** Processes tool calls, subagents and usage. Returns false for other events. */
  #takeCall(envelope: Envelope, { track, atMs }: Happening): boolean {
    switch (envelope.type) {
      case "tool_call_start":
        this.#startTool(track, envelope.payload, atMs);
        return true;
      case "tool_call_output_delta":
        this.#changeTool(envelope.payload.tool_call_id, (entry) => {
          entry.output += envelope.payload.content;
        });
        return true;
      case "tool_call_end":
        this.#endTool(track, envelope.payload, atMs);
        return true;
      case "approval_decided":
        this.#changeTool(envelope.payload.tool_call_id, (entry) => {
          entry.decision = `${envelope.payload.decision === "allow" ? "allowed" : "denied"} by ${envelope.payload.decided_by}`;
        });
        return true;
      case "subagent_started":
        this.#startSubagent(track, envelope.payload);
        return true;
      case "subagent_ended":
        this.#endSubagent(envelope.payload);
        return true;
      case "usage_reported":
        this.#count(track, envelope.headers["agent_id"] ?? "", envelope.payload);
        return true;
      default:
        return false;
    }
  }

  /** Processes the remaining events. Most of them become notices. */
  #takeRest(envelope: Envelope, { track }: Happening): void {
    switch (envelope.type) {
      case "run_status_changed":
        this.status = envelope.payload.status;
        break;
      case "checkpoint_saved":
        this.checkpoints += 1;
        break;
      case "run_start":
        this.status = "running";
        this.#failure = undefined;
        if (envelope.payload.resumed)
          this.#addNotice(track, "info", `Attempt ${envelope.attempt} continues from a checkpoint.`);
        break;
      case "run_end":
        // Skipped if the agent has just reported the same failure in an `error` event.
        if (envelope.payload.error !== undefined && envelope.payload.error.message !== this.#failure)
          this.#addNotice(track, "error", envelope.payload.error.message);
        break;
      case "error":
        this.#failure = envelope.payload.message;
        this.#addNotice(track, "error", envelope.payload.message);
        break;
      default: {
        const notice = noticeOf(envelope);
        if (notice !== undefined) this.#addNotice(track, notice.level, notice.message);
      }
    }
  }

  #key(): string {
    this.#keys += 1;
    return String(this.#keys);
  }

  /** Increases the versions of an entry and of all entries that contain it. */
  #touch(track: Track, entry?: EntryBase): void {
    for (const changed of [entry, track.turn, ...track.above]) if (changed !== undefined) changed.version += 1;
  }

  #add(track: Track, entry: Entry): void {
    (track.turn ?? track.lane).entries.push(entry);
    this.#touch(track);
  }

  #addMessage(track: Track, message: Pick<MessageEntry, "speaker" | "content"> & { isOpen?: boolean }): MessageEntry {
    const entry: MessageEntry = {
      kind: "message",
      key: this.#key(),
      version: 0,
      reasoning: "",
      isOpen: false,
      ...message,
    };
    this.#add(track, entry);
    return entry;
  }

  #addNotice(track: Track, level: NoticeEntry["level"], message: string): void {
    this.#add(track, { kind: "notice", key: this.#key(), version: 0, level, message });
  }

  #grow(track: Track, { content = "", reasoning = "" }: { content?: string; reasoning?: string }): void {
    track.text ??= this.#addMessage(track, { speaker: "agent", content: "", isOpen: true });
    track.text.content += content;
    track.text.reasoning += reasoning;
    this.#touch(track, track.text);
  }

  #endText(track: Track, { content, reasoning }: Payloads["assistant_text_end"]): void {
    const isSilent = content === "" && (reasoning ?? "") === "";
    if (track.text === undefined && isSilent) return;
    const entry = track.text ?? this.#addMessage(track, { speaker: "agent", content: "" });
    entry.content = content;
    entry.reasoning = reasoning ?? entry.reasoning;
    entry.isOpen = false;
    track.text = undefined;
    this.#touch(track, entry);
    if (isSilent) this.#drop(track, entry);
  }

  /** Removes an empty model response, which is one of the last entries. */
  #drop(track: Track, entry: MessageEntry): void {
    const entries = (track.turn ?? track.lane).entries;
    const index = entries.lastIndexOf(entry);
    if (index >= 0) entries.splice(index, 1);
  }

  #deliver(track: Track, content: string): void {
    const index = this.#steering.findIndex((entry) => entry.content === content);
    const [entry] = index < 0 ? [] : this.#steering.splice(index, 1);
    if (entry === undefined) {
      this.#addMessage(track, { speaker: "steering", content });
      return;
    }
    entry.isOpen = false;
    this.#touch(track, entry);
  }

  /** An approval question is shown at its tool call, so it becomes an entry only if the call is unknown. */
  #ask({ track, atMs }: Happening, { prompt_id: promptId, parts, schema, metadata }: Payloads["user_prompted"]): void {
    const base = { kind: "question", key: this.#key(), version: 0, askedMs: atMs } as const;
    const approval = approvalIn(metadata);
    const entry: QuestionEntry = { ...base, promptId, text: textOf(parts), choices: choicesIn(schema), approval };
    this.#questions.set(promptId, entry);
    if (approval === undefined || !this.#tools.has(approval.callId)) this.#add(track, entry);
    else
      this.#changeTool(approval.callId, (tool) => {
        tool.waitingSinceMs = atMs;
      });
  }

  #answer({ prompt_id: promptId, parts }: Payloads["user_replied"], atMs: number): void {
    const entry = this.#questions.get(promptId);
    if (entry === undefined) return;
    entry.answer = textOf(parts);
    this.#touch(this.#root, entry);
    this.#changeTool(entry.approval?.callId ?? "", (tool) => {
      tool.waitedMs += atMs - (tool.waitingSinceMs ?? atMs);
      tool.waitingSinceMs = undefined;
    });
  }

  #beginTurn(track: Track, startedMs: number): void {
    track.turn = undefined;
    track.text = undefined;
    track.turns += 1;
    const base = { kind: "turn", key: this.#key(), version: 0 } as const;
    const turn: TurnEntry = { ...base, number: track.turns, startedMs, entries: [] };
    this.#add(track, turn);
    track.turn = turn;
  }

  #endTurn(track: Track, endedMs: number, problem: string | undefined): void {
    if (track.turn === undefined) return;
    track.turn.endedMs = endedMs;
    track.turn.problem = problem;
    this.#touch(track);
    track.turn = undefined;
    track.text = undefined;
  }

  #startTool(track: Track, payload: Payloads["tool_call_start"], startedMs: number): ToolEntry {
    const { id, name } = payload;
    const base = { kind: "tool", key: this.#key(), version: 0, id, name, startedMs } as const;
    const state = { output: "", isError: false, isCancelled: false, waitedMs: 0 };
    const entry: ToolEntry = { ...base, ...state, arguments: argumentsText(payload.arguments) };
    this.#tools.set(id, { entry, track });
    this.#add(track, entry);
    return entry;
  }

  #changeTool(id: string, change: (entry: ToolEntry) => void): void {
    const found = this.#tools.get(id);
    if (found === undefined) return;
    change(found.entry);
    this.#touch(found.track, found.entry);
  }

  #endTool(track: Track, payload: Payloads["tool_call_end"], atMs: number): void {
    const { tool_call_id: id, duration_ms: durationMs = 0 } = payload;
    if (!this.#tools.has(id))
      this.#startTool(track, { type: "tool_call", id, name: payload.name ?? "tool" }, atMs - durationMs);
    this.#changeTool(id, (entry) => {
      entry.output = payload.content;
      entry.endedMs = atMs;
      entry.waitingSinceMs = undefined;
      entry.isError = payload.is_error === true;
      entry.isCancelled = payload.cancelled === true;
    });
  }

  #startSubagent(track: Track, { agent_id: agentId, content: task }: Payloads["subagent_started"]): void {
    const base = { kind: "subagent", key: this.#key(), version: 0 } as const;
    const lane: Lane = { entries: [] };
    const entry: SubagentEntry = { ...base, agentId, task, lane, status: "running", lastMessage: "" };
    this.#add(track, entry);
    this.#subagents.set(agentId, entry);
    const above = [entry, ...(track.turn === undefined ? [] : [track.turn]), ...track.above];
    this.#tracks.set(agentId, { lane, above, turns: 0, turn: undefined, text: undefined });
  }

  #endSubagent({ agent_id: agentId, status, content }: Payloads["subagent_ended"]): void {
    const entry = this.#subagents.get(agentId);
    const track = this.#tracks.get(agentId);
    if (entry === undefined || track === undefined) return;
    entry.status = status;
    entry.lastMessage = content;
    this.#touch(track);
  }

  #count(track: Track, agentId: string, { response_id: responseId, usage }: Payloads["usage_reported"]): void {
    if (responseId !== undefined && this.#counted.has(responseId)) return;
    if (responseId !== undefined) this.#counted.add(responseId);
    this.usages.push({ agentId, usage });
    if (track.turn === undefined) return;
    track.turn.usage = addUsage(track.turn.usage ?? NO_USAGE, usage);
    this.#touch(track);
  }
}
