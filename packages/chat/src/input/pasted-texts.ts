/** Pasted texts that the input line shows as a placeholder, such as `[12 lines pasted]`. */
export interface PastedTexts {
  /** Returns the text to insert for a pasted text: a placeholder for a long one, otherwise the text itself. */
  add(text: string): string;
  /** Replaces the placeholders in a text by the texts that were pasted. */
  expand(text: string): string;
  /** Returns the placeholder at the end of a text. `undefined` if there is none. */
  placeholderAtEnd(text: string): string | undefined;
  /** Returns the placeholder at the start of a text. `undefined` if there is none. */
  placeholderAtStart(text: string): string | undefined;
  /** Forgets all pasted texts. */
  clear(): void;
}

/** Maximum numbers of lines and characters of a pasted text that is inserted without a placeholder. */
const [MAX_LINES, MAX_CHARS] = [4, 1_000];

/** Creates an empty collection of pasted texts. */
export function createPastedTexts(): PastedTexts {
  const texts = new Map<string, string>();
  const names = (): string[] => [...texts.keys()];
  return {
    add(text) {
      const lines = text.split("\n").length;
      if (lines <= MAX_LINES && text.length <= MAX_CHARS) return text;
      const what = lines > 1 ? `${lines} lines` : `${text.length.toLocaleString("en-US")} characters`;
      let name = `[${what} pasted]`;
      for (let count = 2; texts.has(name); count += 1) name = `[${what} pasted, ${count}]`;
      texts.set(name, text);
      return name;
    },
    expand(text) {
      // One pass, so that a placeholder inside a pasted text is not replaced.
      return text.replace(/\[[^[\]\n]* pasted(?:, \d+)?\]/g, (name) => texts.get(name) ?? name);
    },
    placeholderAtEnd: (text) => names().find((name) => text.endsWith(name)),
    placeholderAtStart: (text) => names().find((name) => text.startsWith(name)),
    clear: () => texts.clear(),
  };
}
