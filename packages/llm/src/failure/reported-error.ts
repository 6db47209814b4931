/** A failure that a provider tells inside of an answer that seems well. */
export class ReportedError extends Error {
  override readonly name = "ReportedError";
  /** What it tells, as an answer that failed would. */
  readonly said: unknown;

  constructor(said: unknown) {
    super("the answer tells a failure");
    this.said = said;
  }
}
