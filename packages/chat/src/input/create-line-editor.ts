import { graphemesOf } from "./graphemes.ts";
import type { Key } from "./key.ts";
import { createPastedTexts } from "./pasted-texts.ts";
import { TextBuffer } from "./text-buffer.ts";

/** Editor of the text in an input line. The text may have several lines. */
export interface LineEditor {
  /** Text as it is shown, with placeholders for long pasted texts. */
  readonly text: string;
  /** Position of the cursor in the text, in UTF-16 code units. */
  readonly cursor: number;
  /** Replaces the text. Default of the cursor: the end of the text. */
  set(text: string, cursor?: number): void;
  /** Applies a key to the text. Returns false if the key is not an editing key. */
  press(key: Key): boolean;
  /** Inserts a pasted text at the cursor, or a placeholder for a long one. */
  paste(text: string): void;
  /** Returns the text with pasted texts instead of placeholders, and empties the editor. */
  take(): string;
}

/** Characters that are never inserted: control characters, and those that change the direction of text. */
const UNWANTED = /(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069\ufeff]|\p{Zl}|\p{Zp}/gu;

/** Normalises typed or pasted text: line ends become `\n`, tabs become spaces, and control characters are removed. */
function plainText(text: string): string {
  return text.replace(/\r\n?/g, "\n").replaceAll("\t", "    ").replace(UNWANTED, "");
}

/** Functions that move the cursor or delete text, by name. */
type Edits = Readonly<Record<string, () => void>>;

/** Creates an empty editor. Its key bindings are those of most shells. */
export function createLineEditor(): LineEditor {
  const pasted = createPastedTexts();
  const buffer = new TextBuffer();
  const previous = (): number => {
    const { before } = buffer;
    return (pasted.placeholderAtEnd(before) ?? graphemesOf(before.slice(-64)).at(-1) ?? "").length;
  };
  const next = (): number => {
    const { after } = buffer;
    return (pasted.placeholderAtStart(after) ?? graphemesOf(after.slice(0, 64))[0] ?? "").length;
  };
  const wordBefore = (): number => /\S*\s*$/u.exec(buffer.before)?.[0].length ?? 0;
  const wordAfter = (): number => /^\s*\S*/u.exec(buffer.after)?.[0].length ?? 0;
  const edits: Edits = {
    left: () => buffer.moveBy(-previous()),
    right: () => buffer.moveBy(next()),
    "word left": () => buffer.moveBy(-wordBefore()),
    "word right": () => buffer.moveBy(wordAfter()),
    home: () => buffer.moveTo(buffer.lineStart),
    end: () => buffer.moveTo(buffer.lineEnd),
    backspace: () => buffer.cut(buffer.cursor - previous(), buffer.cursor),
    delete: () => buffer.cut(buffer.cursor, buffer.cursor + next()),
    "delete word left": () => buffer.cut(buffer.cursor - wordBefore(), buffer.cursor),
    "delete word right": () => buffer.cut(buffer.cursor, buffer.cursor + wordAfter()),
    "delete to start": () => buffer.cut(buffer.lineStart, buffer.cursor),
    "delete to end": () => buffer.cut(buffer.cursor, buffer.lineEnd),
    newline: () => buffer.insert("\n"),
  };
  return {
    get text() {
      return buffer.text;
    },
    get cursor() {
      return buffer.cursor;
    },
    set: (text, cursor = text.length) => buffer.set(text, cursor),
    press(key) {
      const edit = edits[editOf(key) ?? ""];
      if (edit !== undefined) {
        edit();
        return true;
      }
      const typed = key.ctrl || key.meta || key.text.startsWith("\u001b") ? "" : plainText(key.text);
      if (typed === "") return false;
      buffer.insert(typed);
      return true;
    },
    paste: (added) => buffer.insert(pasted.add(plainText(added).replace(/\n+$/, ""))),
    take() {
      const taken = pasted.expand(buffer.text);
      buffer.set("", 0);
      pasted.clear();
      return taken;
    },
  };
}

const CONTROLLED: Readonly<Record<string, string>> = {
  a: "home",
  b: "left",
  d: "delete",
  e: "end",
  f: "right",
  h: "backspace",
  j: "newline",
  k: "delete to end",
  u: "delete to start",
  w: "delete word left",
  left: "word left",
  right: "word right",
  backspace: "delete word left",
  delete: "delete word right",
};

const WITH_ALT: Readonly<Record<string, string>> = {
  b: "word left",
  d: "delete word right",
  f: "word right",
  left: "word left",
  right: "word right",
  backspace: "delete word left",
  return: "newline",
  enter: "newline",
};

const ALONE: Readonly<Record<string, string>> = {
  left: "left",
  right: "right",
  home: "home",
  end: "end",
  backspace: "backspace",
  delete: "delete",
  // Ctrl-J inserts a line feed. Enter does not send a line feed in raw mode.
  enter: "newline",
};

function editOf({ name = "", ctrl, meta }: Key): string | undefined {
  return ctrl ? CONTROLLED[name] : meta ? WITH_ALT[name] : ALONE[name];
}
