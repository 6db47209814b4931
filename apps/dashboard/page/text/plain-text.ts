import { replaceHiddenCharacters } from "@switchyard/contracts";

/** Terminal escape sequences: CSI, OSC including its terminator, and sequences of two characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern finds control characters.
const TERMINAL = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
/** Control characters except tab and line feed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern finds control characters.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

function named(codePoint: number): string {
  return `⟨U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/**
 * Prepares untrusted text for display. Removes terminal escape sequences. Replaces hidden and bidirectional characters
 * by their code points. Line breaks and tabs stay.
 */
export function plainText(text: string): string {
  const plain = text.replaceAll("\r\n", "\n").replace(TERMINAL, "");
  return replaceHiddenCharacters(plain, named).replace(CONTROLS, (control) => named(control.charCodeAt(0)));
}

/** Prepares untrusted text for display on one line. */
export function plainLine(text: string): string {
  return plainText(text).replace(/\s+/g, " ").trim();
}
