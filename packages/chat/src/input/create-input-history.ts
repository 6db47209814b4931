/** Earlier inputs, through which the user moves with the arrow keys. */
export interface InputHistory {
  /**
   * Adds an input as the newest one, unless it is the same as the last input. Resets the position to the end of the
   * history.
   */
  add(text: string): void;
  /**
   * Returns the input before the current one. `undefined` if the current one is the oldest. `draft` is the unsent text,
   * which is the entry after the newest input.
   */
  previous(draft: string): string | undefined;
  /**
   * Returns the input after the current one; after the newest input, returns the draft (the unsent text). `undefined`
   * if the draft is current.
   */
  next(): string | undefined;
}

/** Creates a history from earlier inputs, the oldest first. */
export function createInputHistory(entries: readonly string[] = []): InputHistory {
  const texts = [...entries];
  let at = texts.length;
  let draft = "";
  return {
    add(text) {
      if (texts.at(-1) !== text) texts.push(text);
      at = texts.length;
    },
    previous(current) {
      if (at === 0) return undefined;
      if (at === texts.length) draft = current;
      at -= 1;
      return texts[at];
    },
    next() {
      if (at >= texts.length) return undefined;
      at += 1;
      return at === texts.length ? draft : texts[at];
    },
  };
}
