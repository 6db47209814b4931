import type { TranscriptMessage } from "@switchyard/contracts";
import { formatCount } from "./format.ts";
import { type Content, html, type Markup } from "./markup.ts";
import { renderMarkdown } from "./render-markdown.ts";

/** Maximum length of one message on the page, in characters. */
const MAX_MESSAGE = 8_000;
/** Maximum length of a transcript on the page, in characters. Messages in the middle are omitted first. */
const MAX_TRANSCRIPT = 120_000;

/** Renders the transcript of a run as a collapsed section. Messages that are omitted here are in the report. */
export function renderTranscript(messages: readonly TranscriptMessage[]): Content {
  if (messages.length === 0) return undefined;
  const { head, tail, hiddenCount } = fold(messages);
  const gap =
    hiddenCount === 0
      ? undefined
      : html`<p class="facts">… ${formatCount(hiddenCount)} more messages are in the report …</p>`;
  const title = messages.length === 1 ? "1 message" : `${formatCount(messages.length)} messages`;
  return html`<details class="transcript"><summary>Transcript, ${title}</summary>
${head.map(renderMessage)}${gap}${tail.map(renderMessage)}</details>`;
}

function sizeOf({ content, tool_calls = [], tool_result }: TranscriptMessage): number {
  const calls = tool_calls.reduce((sum, call) => sum + Math.min(call.arguments.length, MAX_MESSAGE), 0);
  return Math.min(content.length, MAX_MESSAGE) + calls + Math.min(tool_result?.content.length ?? 0, MAX_MESSAGE) + 100;
}

interface Folded {
  head: readonly TranscriptMessage[];
  tail: readonly TranscriptMessage[];
  hiddenCount: number;
}

/**
 * Selects messages from both ends of the transcript, in turn from the beginning and from the end, until the length
 * limit is reached.
 */
function fold(messages: readonly TranscriptMessage[]): Folded {
  let room = MAX_TRANSCRIPT;
  let [first, last] = [0, messages.length];
  while (first < last) {
    const next = first <= messages.length - last ? messages[first] : messages[last - 1];
    room -= next === undefined ? room + 1 : sizeOf(next);
    if (room < 0) break;
    if (first <= messages.length - last) first += 1;
    else last -= 1;
  }
  return { head: messages.slice(0, first), tail: messages.slice(last), hiddenCount: last - first };
}

function renderMessage({ role, content, turn, tool_calls = [], tool_result }: TranscriptMessage): Markup {
  const number = turn === undefined ? undefined : html` <span class="facts">turn ${turn}</span>`;
  const calls = tool_calls.map(
    (call) => html`<div class="call"><b>→ ${call.name}</b><pre dir="auto">${shorten(call.arguments)}</pre></div>`,
  );
  // Some engines repeat the tool result in the message content. It is then shown only once.
  const answer = tool_result === undefined || tool_result.content === content ? undefined : pre(tool_result.content);
  const failed = tool_result?.status === "error" ? html` <span class="mark fail">✗</span>` : undefined;
  return html`<div class="message ${classOf(role)}"><div class="role">${role}${number}${failed}</div>${isMarkdown(role) ? markdown(content) : pre(content)}${calls}${answer}</div>
`;
}

function classOf(role: string): string {
  return role === "user" || role === "assistant" || role === "system" ? role : "tool";
}

/** Returns whether messages of a role are written by a person or a model, and not by a tool. */
function isMarkdown(role: string): boolean {
  return role === "user" || role === "assistant";
}

function markdown(text: string): Content {
  return text === "" ? undefined : renderMarkdown(shorten(text));
}

function pre(text: string): Content {
  return text === "" ? undefined : html`<pre dir="auto">${shorten(text)}</pre>`;
}

function shorten(text: string): string {
  if (text.length <= MAX_MESSAGE) return text;
  return `${text.slice(0, MAX_MESSAGE)}\n… ${formatCount(text.length - MAX_MESSAGE)} more characters in the report`;
}
