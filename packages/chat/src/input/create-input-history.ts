/** Earlier inputs, through which the user moves with the arrow keys. */
export interface InputHistory {
  /** Adds an input as the newest, unless it equals the newest. Ends moving. */
  add(text: string): void;
  /** Returns the input before the current one. `undefined` at the oldest. `draft` is returned again after the newest. */
  previous(draft: string): string | undefined;
  /** Returns the input after the current one, and after the newest the draft. `undefined` if the draft is current. */
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
