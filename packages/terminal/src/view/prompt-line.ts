import { displayWidth } from "../text/display-width.ts";

/** Input line below a running view. */
export interface PromptLine {
  /** Adds typed keys to the line. Returns the messages that the user sent with Enter. */
  take(keys: string): string[];
  /** Renders the line. If the line is too long, only its end is shown. */
  render(columns: number): string;
}

const MARK = "› ";
const HINT = "type a message to the agent; Enter sends it";
/** Maximum length of a message, in characters. Further characters are ignored. */
const MAX_CHARS = 20_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals send special keys as escape sequences.
const SEQUENCE = /\u001b(?:\[[\d;?]*[ -/]*[@-~]|O.|[^[O])?/g;

let segmenter: Intl.Segmenter | undefined;

/**
 * Splits a text into graphemes. The segmentation rules are loaded on first use, because loading takes longer than a
 * short command runs.
 */
function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return segmenter.segment(text);
}

function withoutLast(text: string): string {
  const last = [...graphemesOf(text)].at(-1);
  return last === undefined ? "" : text.slice(0, last.index);
}

/**
 * Creates an empty input line. Backspace deletes a character, Ctrl-W a word, Ctrl-U the line; Enter sends the message.
 */
export function createPromptLine(): PromptLine {
  let text = "";
  const press = (key: string): void => {
    if (key === "\u007f" || key === "\b") text = withoutLast(text);
    else if (key === "\u0015") text = "";
    else if (key === "\u0017") text = text.replace(/\S*\s*$/, "");
    else if (key === "\t") text += " ";
    else if (/[^\p{Cc}]|\n/u.test(key) && text.length < MAX_CHARS) text += key;
  };
  return {
    take(keys) {
      const plain = keys.replace(SEQUENCE, "").replace(/\r\n?/g, "\n");
      // A typed Enter arrives alone or as the last character. Line endings in the middle belong to pasted text.
      const sends = plain.endsWith("\n");
      for (const key of sends ? plain.slice(0, -1) : plain) press(key);
      if (!sends) return [];
      const sent = text.trim();
      text = "";
      return sent === "" ? [] : [sent];
    },
    render(columns) {
      const shown = text === "" ? HINT : text.replaceAll("\n", "⏎").replace(/[\p{Cf}\p{Zl}\p{Zp}]/gu, "\ufffd");
      return `${MARK}${text === "" ? shown : endOf(shown, columns - MARK.length - 1)}`;
    },
  };
}

function endOf(text: string, columns: number): string {
  let shown = text;
  for (const { index } of graphemesOf(text)) {
    shown = index === 0 ? text : `…${text.slice(index)}`;
    if (displayWidth(shown) <= columns) break;
  }
  return shown;
}
