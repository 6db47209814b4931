/** An answer to a request for a stream that is a JSON text and no events. */
export class UnstreamedResponse extends Error {
  override readonly name = "UnstreamedResponse";
  /** The text. */
  readonly body: string;

  constructor(body: string) {
    super("the answer is no stream");
    this.body = body;
  }
}
