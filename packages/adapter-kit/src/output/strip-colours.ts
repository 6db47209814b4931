// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with a control character.
const SEQUENCES = /\u001B(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\u0007\u001B]{0,2048}(?:\u0007|\u001B\\)|[@-Z\\^_])/gu;

/** Removes terminal escape sequences for colours, titles and cursor movement. See agent-adapter: plain output. */
export function stripColours(text: string): string {
  return text.replace(SEQUENCES, "");
}
