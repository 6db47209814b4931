import type { PlainHeaders } from "./plain-headers.ts";

/** How an answer begins. */
export interface ResponseHead {
  /** Address that answered. */
  readonly url: string;
  /** Its status. */
  readonly status: number;
  /** What the server calls that. */
  readonly statusText: string;
  /** Its headers. */
  readonly headers: PlainHeaders;
}

/**
 * An answer as `fetch` gives it. What is read piece by piece is there at once; whoever wants it whole, as of an answer that
 * is no stream or no good one, gets it by Node's own `Response`, which comes with all of `fetch`.
 */
export class HttpResponse implements Response {
  readonly type = "basic";
  readonly redirected = false;
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly headers: PlainHeaders;
  readonly #body: ReadableStream<Uint8Array> | null;
  #whole: Response | undefined;

  constructor(body: ReadableStream<Uint8Array> | null, { url, status, statusText, headers }: ResponseHead) {
    this.#body = body;
    this.url = url;
    this.status = status;
    this.statusText = statusText;
    this.headers = headers;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }

  get body(): ReadableStream<Uint8Array> | null {
    return this.#whole === undefined ? this.#body : this.#whole.body;
  }

  get bodyUsed(): boolean {
    return this.#whole?.bodyUsed ?? false;
  }

  clone(): Response {
    return this.#asWhole().clone();
  }

  text(): Promise<string> {
    return this.#asWhole().text();
  }

  json(): Promise<unknown> {
    return this.#asWhole().json();
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return this.#asWhole().arrayBuffer();
  }

  blob(): Promise<Blob> {
    return this.#asWhole().blob();
  }

  formData(): Promise<FormData> {
    return this.#asWhole().formData();
  }

  #asWhole(): Response {
    const { status, statusText } = this;
    this.#whole ??= new Response(this.#body, { status, statusText, headers: [...this.headers] });
    return this.#whole;
  }
}
