import { replaceHiddenCharacters } from "@switchyard/contracts";

/** HTML that is trusted and inserted unescaped. Templates escape all other values. */
export interface Markup {
  /** The HTML source. */
  readonly markup: string;
}

/** Values accepted by a template. Strings are escaped; `undefined` renders nothing. */
export type Content = Markup | string | number | undefined | readonly Content[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Matches control characters, which are replaced by U+FFFD so that they are visible. */
const CONTROLS = /(?![\n\t])\p{Cc}/gu;
const LINE_ENDS = /\r\n?/gu;

/** Escapes a text for HTML content and quoted attributes. */
function escapeHtml(text: string): string {
  return replaceHiddenCharacters(text, (codePoint) => `\\u{${codePoint.toString(16)}}`)
    .replace(LINE_ENDS, "\n")
    .replace(CONTROLS, "\ufffd")
    .replace(/[&<>"']/gu, (character) => ENTITIES[character] ?? "");
}

/** Tagged template that renders HTML. Escapes every interpolated value except the output of nested `html` templates. */
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

/** Returns the relative URL of a file in the page's folder, with special characters percent-encoded. */
export function fileLink(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}
