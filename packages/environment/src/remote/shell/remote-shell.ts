import { randomBytes } from "node:crypto";
import type { SpawnedProcess } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { createByteWindow } from "../../output/byte-window.ts";
import type { RemoteBackend } from "../remote-backend.ts";
import { quoteWords } from "../script/quote-argument.ts";
import type { MarkSplitter } from "./mark-splitter.ts";
import { createMarkSplitter } from "./mark-splitter.ts";

const MAX_STDERR_CHARS = 4000;

/** Response of a remote shell to a request. */
export interface LaneResponse {
  /** Output of the operation. */
  readonly data: Buffer;
  /** Exit status. 0 means success. */
  readonly status: number;
  /** Error message if the operation failed. */
  readonly said: string;
}

/** A request to a remote shell. */
export interface LaneRequest {
  /** Name of the operation. */
  readonly operation: string;
  /** Arguments. Contract: none contains a NUL. */
  readonly words: readonly string[];
  /** Data for the operation, for example the content of a file to write. */
  readonly payload?: Uint8Array | undefined;
}

/** Connection to a shell in the remote environment. A script in this shell handles one request after another. */
export interface Lane extends AsyncDisposable {
  /** Number of requests without a response. */
  readonly pending: number;
  /** True if the shell accepts requests. */
  readonly open: boolean;
  /**
   * Sends a request and resolves with its response. Rejects with the backend's explanation if the client program exits.
   */
  ask(request: LaneRequest): Promise<LaneResponse>;
  /** Sends a request without waiting for a response. */
  tell(request: LaneRequest): void;
  /** Closes the shell's input. The shell exits after it has sent its last response. */
  finish(): void;
}

interface Asked {
  readonly splitter: MarkSplitter;
  readonly reject: (error: unknown) => void;
}

/**
 * Starts a shell in the remote environment. `render` returns the script of the shell. The script accepts only requests
 * that start with the given random key.
 */
export async function openLane(backend: RemoteBackend, render: (key: string) => string): Promise<Lane> {
  const key = randomBytes(16).toString("hex");
  return new ShellLane(backend, key, await backend.start(render(key)));
}

class ShellLane implements Lane {
  readonly #key: string;
  readonly #client: SpawnedProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #asked: Asked[] = [];
  readonly #stderr = createByteWindow(MAX_STDERR_CHARS);
  #failure: EngineError | undefined;

  constructor(backend: RemoteBackend, key: string, client: SpawnedProcess) {
    this.#key = key;
    this.#client = client;
    this.#input = client.stdin.getWriter();
    // Errors of the closed streams are ignored: the exit of the client program explains the failure better.
    this.#input.closed.catch(() => {});
    const said = this.#readStderr();
    void this.#readAnswers().then(async () => {
      const { exitCode } = await client.exited;
      await said;
      this.#fail(backend.explain({ exitCode, stderr: this.#stderr.toText().text }));
    });
  }

  get pending(): number {
    return this.#asked.length;
  }

  get open(): boolean {
    return this.#failure === undefined;
  }

  ask({ operation, words, payload }: LaneRequest): Promise<LaneResponse> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const id = randomBytes(16).toString("hex");
    return new Promise((resolve, reject) => {
      const splitter = createAnswerReader(id, (answer) => {
        this.#asked.shift();
        resolve(answer);
      });
      this.#asked.push({ splitter, reject });
      this.#send(`${this.#key} ${id} ${operation} ${quoteWords(words)}\n`, payload);
    });
  }

  tell({ operation, words }: LaneRequest): void {
    if (this.#failure === undefined) this.#send(`${this.#key} - ${operation} ${quoteWords(words)}\n`, undefined);
  }

  finish(): void {
    this.#input.close().catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#fail(new EngineError("environment.closed"));
    await this.#client[Symbol.asyncDispose]();
  }

  #send(line: string, payload: Uint8Array | undefined): void {
    // The write fails if the client program has exited. The code that reads its output reports this failure.
    this.#input.write(Buffer.from(line)).catch(() => {});
    if (payload !== undefined && payload.length > 0) this.#input.write(payload).catch(() => {});
  }

  #fail(error: EngineError): void {
    this.#failure ??= error;
    for (const { reject } of this.#asked.splice(0)) reject(this.#failure);
  }

  async #readAnswers(): Promise<void> {
    for await (const chunk of this.#client.stdout) {
      let rest: Uint8Array = chunk;
      // Output before the first request is a greeting, for example of a login shell.
      while (rest.length > 0 && this.#asked[0] !== undefined) rest = this.#asked[0].splitter.write(rest);
    }
  }

  async #readStderr(): Promise<void> {
    for await (const chunk of this.#client.stderr) this.#stderr.write(chunk);
  }
}

/** Parses one response. Format: data, a line with the request's id and the status, the error message, the id again. */
function createAnswerReader(id: string, onAnswer: (answer: LaneResponse) => void): MarkSplitter {
  const [data, said]: [Buffer[], Buffer[]] = [[], []];
  let status: number | undefined;
  return createMarkSplitter(id, {
    data(bytes) {
      (status === undefined ? data : said).push(Buffer.from(bytes));
    },
    mark(rest) {
      if (status === undefined) {
        status = Number(rest);
        return true;
      }
      onAnswer({ data: Buffer.concat(data), status, said: Buffer.concat(said).toString("utf8").trim() });
      return false;
    },
  });
}
