import type { Envelope, Usage } from "@switchyard/contracts";
import { addUsage, NO_USAGE } from "@switchyard/contracts";
import picocolors from "picocolors";
import type { MarkdownRenderer } from "../markdown/load-markdown.ts";
import type { Terminal } from "../streams/terminal.ts";
import { cutToWidth } from "../text/display-width.ts";
import { formatCost } from "../text/format-cost.ts";
import { formatDuration } from "../text/format-duration.ts";
import { formatTokens } from "../text/format-tokens.ts";
import { neutraliseControls } from "../text/neutralise-controls.ts";
import { type Answer, createAnswer } from "./answer.ts";
import { createEventRenderer } from "./event-renderer.ts";
import type { FooterInput } from "./footer-input.ts";
import { createLiveScreen } from "./live-screen.ts";
import { createRunningCalls, type RunningCalls } from "./running-calls.ts";
import { createSteeringInput } from "./steering-input.ts";
import { createSubagentNames, type SubagentNames } from "./subagent-names.ts";
import type { View } from "./view.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 100;
/** Height assumed for a terminal that reports none, in lines. */
const ROWS = 24;
/** Maximum number of lines shown of a response that is being written, and of a running command's output. */
const MAX_LINES = { answer: 12, output: 5 };
/**
 * Number of the terminal's lines that the response and the output must leave free, for the other lines of the footer
 * and for space above the footer.
 */
const OTHER_LINES = 5;

/**
 * Creates a view for a terminal. It shows the model's text as it streams, and tool calls with duration and shortened
 * output. The footer shows the last lines of a running command's output, the time, the tokens so far and the current
 * activity. With `markdown`, the model's text is rendered.
 */
export function createLiveView(
  terminal: Pick<Terminal, "stdout" | "stdin" | "now">,
  steer?: ((text: string) => void) | FooterInput,
  markdown?: MarkdownRenderer,
): View {
  const { stdout, now } = terminal;
  const screen = createLiveScreen(stdout);
  const style = () => ({ colours: picocolors.createColors(stdout.hasColour), columns: stdout.columns - 1 });
  const answer = createAnswer(screen, { markdown, style });
  const nameOf = createSubagentNames();
  const calls = createRunningCalls(nameOf);
  const status = createStatus(now, nameOf, calls);
  const renderEvent = createEventRenderer(nameOf);
  const prompt = createSteeringInput(terminal.stdin, steer);
  const redraw = (): void => {
    const above = [...unfinishedLines({ answer, calls }, stdout), status.line()];
    const { lines, cursor } = prompt.render(stdout.columns);
    screen.setFooter([...above, ...lines], cursor && { ...cursor, row: above.length + cursor.row });
  };
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
        const lines = renderEvent(envelope, { ...style(), wrapsNotices: true });
        if (lines.length > 0) screen.print(lines);
      }
      if (!isFrequent(envelope)) redraw();
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

/** Returns whether events of a type may be so frequent that the footer is redrawn only at its next frame. */
function isFrequent({ type }: Envelope): boolean {
  return type === "assistant_text_delta" || type === "tool_call_output_delta";
}

/** Returns the end of an unfinished response, and of the output of a running command. */
function unfinishedLines(
  { answer, calls }: { readonly answer: Answer; readonly calls: RunningCalls },
  { rows = ROWS, columns, hasColour }: Terminal["stdout"],
): string[] {
  const { dim } = picocolors.createColors(hasColour);
  // A footer that is higher than the terminal could not be erased.
  const room = Math.max(1, rows - OTHER_LINES);
  const output = calls.outputLines(Math.min(MAX_LINES.output, room - 1));
  return [
    ...answer.pending().slice(-Math.min(MAX_LINES.answer, room - output.length)),
    ...output.map((line) => dim(cutToWidth(`    ${line}`, columns - 4))),
  ];
}

interface Status {
  /** Updates the status from an event. */
  note(envelope: Envelope): void;
  /** Formats the status line. */
  line(): string;
}

function createStatus(now: () => number, nameOf: SubagentNames, calls: RunningCalls): Status {
  const startedAt = now();
  let usage: Usage = NO_USAGE;
  let isAnswering = false;
  let retryAt: number | undefined;
  let fallback = "";
  let turns = 0;
  let frame = 0;
  return {
    note(envelope) {
      const subagent = nameOf(envelope);
      calls.note(envelope);
      if (subagent === undefined && envelope.type === "assistant_text_start") turns += 1;
      if (subagent === undefined && envelope.type === "model_call_retried") retryAt = now() + envelope.payload.delay_ms;
      else if (subagent === undefined && endsRetry(envelope)) retryAt = undefined;
      if (subagent === undefined && isRetried(envelope)) turns -= 1;
      if (subagent === undefined && envelope.type === "model_fallback") {
        fallback = `using ${neutraliseControls(envelope.payload.to)}`;
      }
      if (subagent === undefined) isAnswering = envelope.type === "assistant_text_delta";
      if (envelope.type === "usage_reported") usage = addUsage(usage, envelope.payload.usage);
    },
    line() {
      frame = (frame + 1) % FRAMES.length;
      if (retryAt !== undefined && now() >= retryAt) retryAt = undefined;
      const model =
        retryAt === undefined ? `the model is ${isAnswering ? "responding" : "thinking"}` : countdown(retryAt - now());
      const running = calls.descriptions();
      const doing = running.length === 0 ? model : running.join(", ");
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
