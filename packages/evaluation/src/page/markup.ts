import { replaceHiddenCharacters } from "@switchyard/contracts";

/** Text that is HTML already. Everything else is escaped where it is put in. */
export interface Markup {
  /** The HTML. */
  readonly markup: string;
}

/** What may be put into a template: texts are escaped, nothing is left out for `undefined`. */
export type Content = Markup | string | number | undefined | readonly Content[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Control characters: shown, so that nothing is hidden behind them. */
const CONTROLS = /(?![\n\t])\p{Cc}/gu;
const LINE_ENDS = /\r\n?/gu;

/** A text as HTML shows it, in content and in quoted attributes. */
function escapeHtml(text: string): string {
  return replaceHiddenCharacters(text, (codePoint) => `\\u{${codePoint.toString(16)}}`)
    .replace(LINE_ENDS, "\n")
    .replace(CONTROLS, "\ufffd")
    .replace(/[&<>"']/gu, (character) => ENTITIES[character] ?? "");
}

/** Makes HTML from a template: whatever is put in is escaped unless it was made by this very function. */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  const pieces = strings.map((piece, index) => piece + (index < values.length ? render(values[index]) : ""));
  return { markup: pieces.join("") };
}

function render(content: Content): string {
  if (content === undefined) return "";
  if (typeof content === "string") return escapeHtml(content);
  if (typeof content === "number") return String(content);
  if (isList(content)) return content.map(render).join("");
  return content.markup;
}

function isList(content: Markup | readonly Content[]): content is readonly Content[] {
  return Array.isArray(content);
}

/** A link to a file below the page. Characters of its name mean nothing else in it. */
export function fileLink(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}
