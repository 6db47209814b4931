import { randomBytes } from "node:crypto";
import type { SpawnedProcess } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { createByteWindow } from "../../output/byte-window.ts";
import type { RemoteBackend } from "../remote-backend.ts";
import { quoteWords } from "../script/quote-word.ts";
import type { MarkSplitter } from "./mark-splitter.ts";
import { createMarkSplitter } from "./mark-splitter.ts";

const MAX_STDERR_CHARS = 4000;

/** What an operation of a lane answered. */
export interface LaneResponse {
  /** What it wrote. */
  readonly data: Buffer;
  /** 0 when it worked. */
  readonly status: number;
  /** What it said, where it did not. */
  readonly said: string;
}

/** One thing that a lane is asked to do. */
export interface LaneRequest {
  /** Name of the operation. */
  readonly operation: string;
  /** Its words. Contract: none has a NUL. */
  readonly words: readonly string[];
  /** Bytes that it reads. */
  readonly payload?: Uint8Array | undefined;
}

/** A shell in a place that answers one request after another. */
export interface Lane extends AsyncDisposable {
  /** Requests that have no answer yet. */
  readonly pending: number;
  /** Whether it can be asked. */
  readonly open: boolean;
  /** Asks, and resolves with the answer. Throws what the place says its client's end means. */
  ask(request: LaneRequest): Promise<LaneResponse>;
  /** Tells, and waits for no answer. */
  tell(request: LaneRequest): void;
  /** Says that nothing more will be asked: the shell ends after its last answer. */
  finish(): void;
}

interface Asked {
  readonly splitter: MarkSplitter;
  readonly reject: (error: unknown) => void;
}

/** Starts a lane. `render` gives its script for the key that its requests begin with. */
export async function openLane(place: RemoteBackend, render: (key: string) => string): Promise<Lane> {
  const key = randomBytes(16).toString("hex");
  return new ShellLane(place, key, await place.start(render(key)));
}

class ShellLane implements Lane {
  readonly #key: string;
  readonly #client: SpawnedProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #asked: Asked[] = [];
  readonly #stderr = createByteWindow(MAX_STDERR_CHARS);
  #failure: EngineError | undefined;

  constructor(place: RemoteBackend, key: string, client: SpawnedProcess) {
    this.#key = key;
    this.#client = client;
    this.#input = client.stdin.getWriter();
    // How the client ended tells more than its closed streams.
    this.#input.closed.catch(() => {});
    const said = this.#readStderr();
    void this.#readAnswers().then(async () => {
      const { exitCode } = await client.exited;
      await said;
      this.#fail(place.explain({ exitCode, stderr: this.#stderr.toText().text }));
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
    // A broken pipe: the client has ended, which its reader tells.
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
      // Without a request it is a greeting of the place, before the first answer.
      while (rest.length > 0 && this.#asked[0] !== undefined) rest = this.#asked[0].splitter.write(rest);
    }
  }

  async #readStderr(): Promise<void> {
    for await (const chunk of this.#client.stderr) this.#stderr.write(chunk);
  }
}

/** Collects one answer: its data, the line with the id and the status, what was said, and the id again. */
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
