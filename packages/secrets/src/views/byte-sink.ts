/** Takes the bytes of a text one by one, with the part of the original text that each one was decoded from. */
export interface ByteSink {
  /** Takes a byte that comes from `[start, end)` of the original text. */
  push(byte: number, start: number, end: number): void;
  /** Ends whatever is under way: what follows does not continue what came before. */
  interrupt(): void;
  /** True if nothing is under way: what follows means what it would mean at the beginning of a word. */
  isIdle(): boolean;
  /** Position of the first character that may still become part of a secret; `Infinity` if there is none. */
  heldFrom(): number;
}
