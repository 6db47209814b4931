import type { Envelope, EnvelopeOf, NoticePayload, ToolCallEndPayload } from "@switchyard/contracts";
import type { createColors } from "picocolors";
import { cutToWidth } from "../text/display-width.ts";
import { foldLines } from "../text/fold-lines.ts";
import { formatDuration } from "../text/format-duration.ts";
import { neutraliseControls } from "../text/neutralise-controls.ts";
import { wrapLine } from "../text/wrap-line.ts";
import { describeCall } from "./describe-call.ts";
import type { EditLines } from "./edit-lines.ts";

/** Options of `renderEvent`. */
export interface LineStyle {
  /** Functions that add colours to text. If colours are disabled, they return the text unchanged. */
  colours: ReturnType<typeof createColors>;
  /** Maximum width of shortened lines, in columns. */
  columns: number;
  /** Whether notices are wrapped at spaces. Default: false; the terminal or the reader of a file breaks long lines. */
  wrapsNotices?: boolean | undefined;
  /** Description of the ended tool call. Default: the name of the tool. */
  call?: string | undefined;
  /** Lines that the ended tool call changed in a file. */
  edit?: EditLines | undefined;
}

/** Spaces that replace a tab, because only the terminal knows the width of a tab. */
export const TAB = "    ";

/** Number of columns that the line of a tool result reserves for symbol, outcome and duration. */
const RESULT_ROOM = 24;
const UNKNOWN = "    was cut off; it may have had effects and is not repeated";
const FOLD = { head: 4, tail: 4 };
/**
 * Numbers of lines shown of an edit, from its beginning (`head`) and from its end (`tail`). Users read changes first,
 * so edits get more lines.
 */
const EDIT_FOLD = { head: 20, tail: 10 };

/**
 * Renders an event as lines. Returns an empty list for events that users do not need, and for the model's text, which
 * views show themselves.
 */
export function renderEvent(envelope: Envelope, style: LineStyle): string[] {
  const { colours } = style;
  switch (envelope.type) {
    case "user_input":
    case "steering_injected":
      return neutraliseControls(envelope.payload.content)
        .split("\n")
        .map((line) => colours.dim(`> ${line}`));
    case "control_received":
      return [colours.dim(cutToWidth(`» ${oneLine(envelope.payload.content)}`, style.columns))];
    case "tool_call_start":
      return [cutToWidth(`→ ${describeCall(envelope.payload.name, envelope.payload.arguments)}`, style.columns)];
    case "tool_call_end":
      return renderCallEnd(envelope.payload, style);
    case "model_call_retried":
      return renderNotice(renderRetry(envelope), style);
    case "model_fallback":
      return renderNotice(renderFallback(envelope), style);
    case "model_request_refused":
      return renderNotice(`! The model gateway refused a request: ${noticeText(envelope.payload)}`, style);
    case "network_request_decided":
      return envelope.payload.verdict === "allowed" ? [] : renderNotice(`! ${noticeText(envelope.payload)}`, style);
    case "retry_scheduled":
      return renderNotice(renderAttempt(envelope), style);
    case "turn_limit":
      return [colours.yellow(`! The limit ${envelope.payload.limit} was reached (${envelope.payload.count}).`)];
    case "warning":
    case "loop_detection":
    case "tool_call_refused":
    case "session_replaced":
    case "malformed_output":
      return renderNotice(`! ${noticeText(envelope.payload)}`, style);
    case "notification":
      return [colours.dim(`· ${noticeText(envelope.payload)}`)];
    case "subagent_started":
      return [cutToWidth(`⇢ ${subagentText(envelope)}`, style.columns)];
    case "subagent_ended":
      return [renderSubagentEnd(envelope, style)];
    case "user_prompted":
      return [colours.yellow("? The agent asks a question.")];
    case "interrupt_requested":
      return [colours.yellow(renderInterrupt(envelope))];
    default:
      return [];
  }
}

function renderNotice(text: string, { colours, columns, wrapsNotices = false }: LineStyle): string[] {
  const lines = wrapsNotices ? text.split("\n").flatMap((line) => wrapLine(line, columns)) : [text];
  return lines.map((line) => colours.yellow(line));
}

function oneLine(text: string): string {
  return neutraliseControls(text).replace(/\s+/g, " ").trim();
}

function noticeText(payload: Pick<NoticePayload, "message">): string {
  return neutraliseControls(payload.message);
}

/** Returns the name of a subagent, and the first line of its task or final message. */
function subagentText({ payload }: EnvelopeOf<"subagent_started" | "subagent_ended">): string {
  const [line = ""] = neutraliseControls(payload.content).trim().split("\n");
  return `${neutraliseControls(payload.agent_id)}: ${line}`;
}

function renderSubagentEnd(
  envelope: EnvelopeOf<"subagent_ended">,
  { colours, columns }: Pick<LineStyle, "colours" | "columns">,
): string {
  const text = cutToWidth(`⇠ ${subagentText(envelope)}`, columns);
  return envelope.payload.status === "failed" ? colours.red(text) : colours.green(text);
}

function renderInterrupt({ payload }: EnvelopeOf<"interrupt_requested">): string {
  return payload.cause === "user_cancel" ? "! Stopping. Press Ctrl-C again to stop immediately." : "! Stopping.";
}

/** Returns true if an earlier attempt left the tool call open. Its outcome is unknown, but the tool did not fail. */
function isUnknown({ details }: ToolCallEndPayload): boolean {
  return (
    typeof details === "object" && details !== null && "outcome" in details && details.outcome === "unknown_outcome"
  );
}

function argumentsIn(details: unknown): unknown {
  return typeof details === "object" && details !== null && "arguments" in details ? details.arguments : undefined;
}

/** Adds a full stop to a message if it has none, so that another sentence can follow. */
function ended(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

function renderRetry({ payload }: EnvelopeOf<"model_call_retried">): string {
  const { error, attempt, delay_ms: delayMs, is_partial: isPartial, max_wait_ms: maxWaitMs, waited_ms } = payload;
  const discarded = isPartial === true ? " The partial response is discarded." : "";
  const left =
    maxWaitMs === undefined || waited_ms === undefined
      ? ""
      : `, ${formatDuration(waited_ms)} of ${formatDuration(maxWaitMs)} waited`;
  return `! ${ended(neutraliseControls(error.message))}${discarded} Retrying in ${formatDuration(delayMs)} (attempt ${attempt} failed${left}).`;
}

function renderFallback({ payload }: EnvelopeOf<"model_fallback">): string {
  const { from, to, error } = payload;
  const problem = ended(neutraliseControls(error.message));
  return `! ${problem} Using ${neutraliseControls(to)} instead of ${neutraliseControls(from)} from now on.`;
}

function renderAttempt({ payload }: EnvelopeOf<"retry_scheduled">): string {
  const { error, attempt, tries, max_attempts: most, delay_ms: delayMs } = payload;
  const left = `${tries} of ${most} attempts used`;
  return `! Attempt ${attempt} failed: ${ended(neutraliseControls(error.message))} Retrying in ${formatDuration(delayMs)} (${left}).`;
}

function renderCallEnd(payload: ToolCallEndPayload, { colours, columns, call, edit }: LineStyle): string[] {
  const duration = payload.duration_ms === undefined ? "" : ` ${formatDuration(payload.duration_ms)}`;
  const name = cutToWidth(call ?? neutraliseControls(payload.name ?? ""), Math.max(columns - RESULT_ROOM, RESULT_ROOM));
  if (isUnknown(payload)) {
    const what = call ?? describeCall(payload.name ?? "", argumentsIn(payload.details));
    return [colours.yellow(cutToWidth(`  ? ${what}`, columns)), colours.dim(cutToWidth(UNKNOWN, columns))];
  }
  const head = payload.cancelled
    ? colours.yellow(`  – ${name} cancelled`)
    : payload.is_error
      ? colours.red(`  ✗ ${name} failed${duration}`)
      : colours.green(`  ✓ ${name}${duration}`);
  if (edit !== undefined && !payload.is_error && !payload.cancelled)
    return [head, ...renderEdit(edit, { colours, columns })];
  const output = neutraliseControls(payload.content).trimEnd().replaceAll("\t", TAB);
  if (output === "") return [head];
  const lines = foldLines(output, FOLD).map((line) => colours.dim(cutToWidth(`    ${line}`, columns)));
  return [head, ...lines];
}

function renderEdit({ lines }: EditLines, { colours, columns }: Pick<LineStyle, "colours" | "columns">): string[] {
  const shown = foldLines(neutraliseControls(lines.join("\n")).replaceAll("\t", TAB), EDIT_FOLD);
  return shown.map((line) => {
    const text = cutToWidth(`    ${line}`, columns);
    if (line.startsWith("+")) return colours.green(text);
    return line.startsWith("-") ? colours.red(text) : colours.dim(text);
  });
}
