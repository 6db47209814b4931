/** A failure reported inside an otherwise successful response. */
export class ReportedError extends Error {
  override readonly name = "ReportedError";
  /** Reported failure, in the format of an error response. */
  readonly body: unknown;

  constructor(body: unknown) {
    super("the response reports a failure");
    this.body = body;
  }
}
