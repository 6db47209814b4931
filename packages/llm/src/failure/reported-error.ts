/** A failure reported inside an otherwise successful response. */
export class ReportedError extends Error {
  override readonly name = "ReportedError";
  /** Reported failure, in the format of an error response. */
  readonly said: unknown;

  constructor(said: unknown) {
    super("the answer tells a failure");
    this.said = said;
  }
}
