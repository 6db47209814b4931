/** Sequences by which terminals are coloured and steered. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const TERMINAL_SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
/** Control characters but tab and line feed, marks that turn the reading direction, invisible tags. */
const CONTROLS = /(?![\t\n])[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;
const LONE_SURROGATES = /\p{Cs}/gu;

/**
 * Text of a server without what terminals obey and people do not see: tabs and line ends stay, halves of characters
 * become U+FFFD.
 */
export function cleanText(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(TERMINAL_SEQUENCE, "")
    .replace(CONTROLS, "")
    .replace(LONE_SURROGATES, "\ufffd");
}

/** The head of a text of at most so many UTF-16 code units, with a word about what is missing. */
export function capText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const mark = ` … (${text.length - maxChars} more characters)`;
  return `${text.slice(0, maxChars).replace(/[\ud800-\udbff]$/, "")}${mark}`;
}

/** A clean text on one line, for messages. */
export function cleanLine(text: string, maxChars: number): string {
  return capText(
    cleanText(text.slice(0, maxChars * 4))
      .replace(/\s+/g, " ")
      .trim(),
    maxChars,
  );
}
