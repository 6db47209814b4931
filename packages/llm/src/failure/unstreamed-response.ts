/** Thrown when the response to a streaming request is one JSON text instead of events. */
export class UnstreamedResponse extends Error {
  override readonly name = "UnstreamedResponse";
  /** Response text. */
  readonly body: string;

  constructor(body: string) {
    super("the response is not a stream");
    this.body = body;
  }
}
