/** Terminal escape sequences. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern finds control characters.
const TERMINAL_SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
/** Control characters except tab and line feed, bidirectional marks, invisible tags. */
const CONTROLS = /(?![\t\n])[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;
const LONE_SURROGATES = /\p{Cs}/gu;

/**
 * Removes terminal control and invisible characters from a server's text. Tabs and line ends stay; lone surrogates
 * become U+FFFD.
 */
export function cleanText(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(TERMINAL_SEQUENCE, "")
    .replace(CONTROLS, "")
    .replace(LONE_SURROGATES, "\ufffd");
}

/** Truncates a text to a number of UTF-16 code units, with a note about what is missing. */
export function capText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const mark = ` … (${text.length - maxChars} more characters)`;
  return `${text.slice(0, maxChars).replace(/[\ud800-\udbff]$/, "")}${mark}`;
}

/** Returns a clean text on one line, for messages. */
export function cleanLine(text: string, maxChars: number): string {
  return capText(
    cleanText(text.slice(0, maxChars * 4))
      .replace(/\s+/g, " ")
      .trim(),
    maxChars,
  );
}
