/**
 * Runs saves one after another. All requests made during a save share the next one, which starts after them and
 * therefore includes their changes.
 */
export class GroupedSaves {
  readonly #save: () => Promise<void>;
  #current: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  /** Creates a queue of saves that calls this function. */
  constructor(save: () => Promise<void>) {
    this.#save = save;
  }

  /** Resolves when a save that started after this call has completed. Rejects if it failed. */
  request(): Promise<void> {
    this.#next ??= this.#begin(this.#current);
    return this.#next;
  }

  async #begin(before: Promise<void>): Promise<void> {
    // A failure of the previous save is reported to the callers that requested it.
    await before.catch(() => {});
    const save = this.#save();
    this.#current = save;
    this.#next = undefined;
    await save;
  }
}
