/** A failure that a provider tells inside of an answer that seems well. */
export class ToldError extends Error {
  override readonly name = "ToldError";
  /** What it tells, as an answer that failed would. */
  readonly said: unknown;

  constructor(said: unknown) {
    super("the answer tells a failure");
    this.said = said;
  }
}
