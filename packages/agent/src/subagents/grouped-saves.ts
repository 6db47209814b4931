/**
 * Makes saves one after the other. Whoever asks while one is under way waits for the next, which is one for all of
 * them: it begins behind the asking, so it has what they want kept.
 */
export class GroupedSaves {
  readonly #save: () => Promise<void>;
  #current: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  /** Makes saves with this function. */
  constructor(save: () => Promise<void>) {
    this.#save = save;
  }

  /** Resolves when a save that began after this call is done; rejects with what it failed with. */
  request(): Promise<void> {
    this.#next ??= this.#begin(this.#current);
    return this.#next;
  }

  async #begin(before: Promise<void>): Promise<void> {
    // How the one before ended is a matter of those who asked for it.
    await before.catch(() => {});
    const save = this.#save();
    this.#current = save;
    this.#next = undefined;
    await save;
  }
}
