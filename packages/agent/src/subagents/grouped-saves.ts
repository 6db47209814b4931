/**
 * Runs save operations one after another. All requests made during a save share the next save, which starts after these
 * requests and therefore includes their changes.
 */
export class GroupedSaves {
  readonly #save: () => Promise<void>;
  #current: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  /** Creates a queue that runs the given function for each save. */
  constructor(save: () => Promise<void>) {
    this.#save = save;
  }

  /** Requests a save, which starts after this call. Resolves when that save has completed. Rejects if it failed. */
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
