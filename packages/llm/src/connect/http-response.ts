import type { PlainHeaders } from "./plain-headers.ts";

/** Status line and headers of a response. */
export interface ResponseHead {
  /** Address that responded. */
  readonly url: string;
  /** Its status. */
  readonly status: number;
  /** Status text. */
  readonly statusText: string;
  /** Its headers. */
  readonly headers: PlainHeaders;
}

/**
 * A response with the interface of `fetch`'s `Response`. Reading the body in chunks is implemented here. All other
 * methods, used for complete bodies and errors, load Node's `Response`, which loads Node's whole `fetch`
 * implementation.
 */
export class HttpResponse implements Response {
  readonly type = "basic";
  readonly redirected = false;
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly headers: PlainHeaders;
  readonly #body: ReadableStream<Uint8Array> | null;
  #response: Response | undefined;

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
    return this.#response === undefined ? this.#body : this.#response.body;
  }

  get bodyUsed(): boolean {
    return this.#response?.bodyUsed ?? false;
  }

  clone(): Response {
    return this.#toResponse().clone();
  }

  text(): Promise<string> {
    return this.#toResponse().text();
  }

  json(): Promise<unknown> {
    return this.#toResponse().json();
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return this.#toResponse().arrayBuffer();
  }

  blob(): Promise<Blob> {
    return this.#toResponse().blob();
  }

  formData(): Promise<FormData> {
    return this.#toResponse().formData();
  }

  #toResponse(): Response {
    const { status, statusText } = this;
    this.#response ??= new Response(this.#body, { status, statusText, headers: [...this.headers] });
    return this.#response;
  }
}
