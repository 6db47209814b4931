import type { Envelope, Usage } from "@switchyard/contracts";
import { addUsage, NO_USAGE } from "@switchyard/contracts";
import picocolors from "picocolors";
import type { KeyReader, Terminal } from "../streams/terminal.ts";
import { formatCost } from "../text/format-cost.ts";
import { formatDuration } from "../text/format-duration.ts";
import { formatTokens } from "../text/format-tokens.ts";
import { neutraliseControls } from "../text/neutralise-controls.ts";
import { wrapLine } from "../text/wrap-line.ts";
import { describeCall } from "./describe-call.ts";
import { createEventRenderer } from "./event-renderer.ts";
import { createLiveScreen, type LiveScreen } from "./live-screen.ts";
import { createPromptLine } from "./prompt-line.ts";
import { TAB } from "./render-event.ts";
import { createSubagentNames, type SubagentNames } from "./subagent-names.ts";
import type { View } from "./view.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 100;

/**
 * Creates a view for a terminal. It shows the model's text as it streams, and tool calls with duration and shortened
 * output. A status line at the bottom shows the time, the tokens so far and the current activity.
 */
export function createLiveView(
  terminal: Pick<Terminal, "stdout" | "stdin" | "now">,
  steer?: (text: string) => void,
): View {
  const { stdout, now } = terminal;
  const screen = createLiveScreen(stdout);
  const answer = createAnswer(screen, () => stdout.columns - 1);
  const nameOf = createSubagentNames();
  const status = createStatus(now, nameOf);
  const renderEvent = createEventRenderer(nameOf);
  const prompt = createSteering(terminal.stdin, steer);
  const redraw = (): void =>
    screen.setFooter([...answer.pending(), status.line(), ...prompt.lines(stdout.columns - 3)]);
  const begin = (): NodeJS.Timeout => {
    prompt.begin(redraw);
    return setInterval(redraw, FRAME_MS);
  };
  let ticker = begin();
  return {
    show(envelope) {
      status.note(envelope);
      // An earlier attempt may have left a response unfinished.
      if (envelope.type === "run_start") answer.finish("");
      const isOwn = nameOf(envelope) === undefined;
      if (isOwn && envelope.type === "assistant_text_delta") answer.add(envelope.payload.content);
      else if (isOwn && envelope.type === "assistant_text_end") answer.finish(envelope.payload.content);
      else {
        const style = { colours: picocolors.createColors(stdout.hasColour), columns: stdout.columns - 1 };
        const lines = renderEvent(envelope, style);
        if (lines.length > 0) screen.print(lines);
      }
      if (envelope.type !== "assistant_text_delta") redraw();
    },
    suspend() {
      clearInterval(ticker);
      prompt.end();
      screen.close();
      return () => {
        ticker = begin();
      };
    },
    close() {
      clearInterval(ticker);
      prompt.end();
      answer.finish("");
      screen.close();
    },
  };
}

/** Input line for messages to the agent. */
interface Steering {
  /** Starts to read keys. Calls `onChange` when the line changes. */
  begin(onChange: () => void): void;
  /** Stops reading keys. Typed text is preserved. */
  end(): void;
  /** Returns the rendered input line. Empty if no keys are read. */
  lines(columns: number): string[];
}

function createSteering(stdin: Terminal["stdin"], steer: ((text: string) => void) | undefined): Steering {
  const prompt = createPromptLine();
  let keys: KeyReader | undefined;
  return {
    begin(onChange) {
      if (steer === undefined) return;
      keys = stdin.readKeys((typed) => {
        for (const message of prompt.take(typed)) steer(message);
        onChange();
      });
    },
    end() {
      keys?.stop();
      keys = undefined;
    },
    lines: (columns) => (keys?.isReading === true ? [prompt.render(columns)] : []),
  };
}

interface Answer {
  /** Adds an increment of the model's text. */
  add(text: string): void;
  /** Ends the model's response. Prints the whole text unless it was streamed. */
  finish(whole: string): void;
  /** Returns the last line of the response, which is not complete yet. */
  pending(): string[];
}

function createAnswer(screen: LiveScreen, columns: () => number): Answer {
  let line = "";
  let streamed = false;
  const add = (text: string): void => {
    const lines = (line + neutraliseControls(text).replaceAll("\t", TAB))
      .split("\n")
      .flatMap((part) => wrapLine(part, columns()));
    line = lines.pop() ?? "";
    if (lines.length > 0) screen.print(lines);
  };
  return {
    add(text) {
      streamed = true;
      add(text);
    },
    finish(whole) {
      if (!streamed && whole !== "") add(whole);
      if (line !== "") screen.print([line]);
      line = "";
      streamed = false;
    },
    pending: () => (line === "" ? [] : [line]),
  };
}

interface Status {
  /** Updates the status from an event. */
  note(envelope: Envelope): void;
  /** Formats the status line. */
  line(): string;
}

function createStatus(now: () => number, nameOf: SubagentNames): Status {
  const startedAt = now();
  const running = new Map<string, string>();
  let usage: Usage = NO_USAGE;
  let isAnswering = false;
  let retryAt: number | undefined;
  let fallback = "";
  let turns = 0;
  let frame = 0;
  return {
    note(envelope) {
      const subagent = nameOf(envelope);
      // The agent is part of the key, because call ids are unique only within an agent.
      const key = (id: string): string => `${subagent ?? ""} ${id}`;
      if (subagent === undefined && envelope.type === "assistant_text_start") turns += 1;
      if (subagent === undefined && envelope.type === "model_call_retried") retryAt = now() + envelope.payload.delay_ms;
      else if (subagent === undefined && endsRetry(envelope)) retryAt = undefined;
      if (subagent === undefined && isRetried(envelope)) turns -= 1;
      if (subagent === undefined && envelope.type === "model_fallback") {
        fallback = `using ${neutraliseControls(envelope.payload.to)}`;
      }
      if (subagent === undefined) isAnswering = envelope.type === "assistant_text_delta";
      // Calls that an earlier attempt left open are no longer running.
      if (envelope.type === "run_start" || envelope.type === "retry_scheduled") running.clear();
      if (envelope.type === "usage_reported") usage = addUsage(usage, envelope.payload.usage);
      if (envelope.type === "tool_call_start") {
        const call = describeCall(envelope.payload.name, envelope.payload.arguments);
        running.set(key(envelope.payload.id), subagent === undefined ? call : `${subagent} ${call}`);
      }
      if (envelope.type === "tool_call_end") running.delete(key(envelope.payload.tool_call_id));
    },
    line() {
      frame = (frame + 1) % FRAMES.length;
      if (retryAt !== undefined && now() >= retryAt) retryAt = undefined;
      const model =
        retryAt === undefined ? `the model is ${isAnswering ? "responding" : "thinking"}` : countdown(retryAt - now());
      const doing = running.size === 0 ? model : [...running.values()].join(", ");
      const turn = turns === 0 ? "" : `turn ${turns}`;
      const time = `${FRAMES[frame]} ${formatDuration(now() - startedAt)}`;
      const facts = [time, turn, formatTokens(usage), costOf(usage), fallback, doing];
      return facts.filter((fact) => fact !== "").join(" · ");
    },
  };
}

/** Returns true for events that mean that an announced model retry is no longer pending. */
function endsRetry({ type }: Envelope): boolean {
  return type === "assistant_text_start" || type === "processing_end" || type === "session_end" || type === "run_end";
}

/** Returns true if an event means that the model's response was discarded and the turn will be attempted again. */
function isRetried(envelope: Envelope): boolean {
  return envelope.type === "assistant_text_end" && envelope.payload.finish_reason === "retried";
}

function countdown(leftMs: number): string {
  const seconds = Math.ceil(leftMs / 1_000);
  return `retrying the model in ${seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1_000)}`;
}

/** Returns the cost so far; empty if it is unknown. An unknown cost is reported when the run ends. */
function costOf(usage: Usage): string {
  return usage.costMicros === undefined ? "" : formatCost(usage);
}
