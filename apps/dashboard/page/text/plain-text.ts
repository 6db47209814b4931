/** Sequences by which programs colour and move in a terminal: CSI, OSC up to its end, and those of two characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const TERMINAL = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
/**
 * Characters that show nothing, or turn the direction of what follows; but for those that join the parts of one picture,
 * and those that letters of some scripts are written with.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u200c\u200d](?<!(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d(?=\p{Extended_Pictographic}))(?<![\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}][\u200c\u200d])/gu;

function named(character: string): string {
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/**
 * A foreign text as it is shown: without what is meant for terminals, and with characters that nobody would see, or
 * that turn what is behind them round, by their names. Lines and tabs stay. security: dashboard.
 */
export function plainText(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(TERMINAL, "").replace(HIDDEN, named);
}

/** A foreign text in one line. */
export function plainLine(text: string): string {
  return plainText(text).replace(/\s+/g, " ").trim();
}
