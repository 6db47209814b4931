import { replaceHiddenCharacters } from "@switchyard/contracts";

/** Sequences by which programs colour and move in a terminal: CSI, OSC up to its end, and those of two characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const TERMINAL = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
/** Control characters but tab and line feed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

function named(codePoint: number): string {
  return `⟨U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/**
 * A foreign text as it is shown: without what is meant for terminals, and with characters that nobody would see, or
 * that turn what is behind them round, by their names. Lines and tabs stay. security: dashboard.
 */
export function plainText(text: string): string {
  const plain = text.replaceAll("\r\n", "\n").replace(TERMINAL, "");
  return replaceHiddenCharacters(plain, named).replace(CONTROLS, (control) => named(control.charCodeAt(0)));
}

/** A foreign text in one line. */
export function plainLine(text: string): string {
  return plainText(text).replace(/\s+/g, " ").trim();
}
