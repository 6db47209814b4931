import { randomBytes } from "node:crypto";
import type { SpawnedProcess } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { createByteWindow } from "../../output/byte-window.ts";
import type { RemoteBackend } from "../remote-backend.ts";
import { quoteArguments } from "../script/quote-argument.ts";
import type { MarkSplitter } from "./mark-splitter.ts";
import { createMarkSplitter } from "./mark-splitter.ts";

const MAX_STDERR_CHARS = 4000;

/** Response of a remote shell to a request. */
export interface RemoteShellResponse {
  /** Output of the operation. */
  readonly data: Buffer;
  /** Exit status. 0 means success. */
  readonly status: number;
  /** Error message if the operation failed. */
  readonly message: string;
}

/** A request to a remote shell. */
export interface RemoteShellRequest {
  /** Name of the operation. */
  readonly operation: string;
  /** Arguments. Contract: none contains a NUL. */
  readonly args: readonly string[];
  /** Data for the operation, for example the content of a file to write. */
  readonly payload?: Uint8Array | undefined;
}

/** Connection to a shell in the remote environment. A script in this shell handles one request after another. */
export interface RemoteShell extends AsyncDisposable {
  /** Number of requests without a response. */
  readonly pending: number;
  /** True if the shell accepts requests. */
  readonly open: boolean;
  /**
   * Sends a request and resolves with its response. Rejects with the backend's explanation if the client program exits.
   */
  request(request: RemoteShellRequest): Promise<RemoteShellResponse>;
  /** Sends a request without waiting for a response. */
  notify(request: RemoteShellRequest): void;
  /** Closes the shell's input. The shell exits after it has sent its last response. */
  finish(): void;
}

interface PendingRequest {
  readonly splitter: MarkSplitter;
  readonly reject: (error: unknown) => void;
}

/**
 * Starts a shell in the remote environment. `render` returns the script of the shell. The script accepts only requests
 * that start with the given random key.
 */
export async function openRemoteShell(backend: RemoteBackend, render: (key: string) => string): Promise<RemoteShell> {
  const key = randomBytes(16).toString("hex");
  return new ShellProcess(backend, key, await backend.start(render(key)));
}

class ShellProcess implements RemoteShell {
  readonly #key: string;
  readonly #client: SpawnedProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #pending: PendingRequest[] = [];
  readonly #stderr = createByteWindow(MAX_STDERR_CHARS);
  #failure: EngineError | undefined;

  constructor(backend: RemoteBackend, key: string, client: SpawnedProcess) {
    this.#key = key;
    this.#client = client;
    this.#input = client.stdin.getWriter();
    // Errors of the closed streams are ignored: the exit of the client program explains the failure better.
    this.#input.closed.catch(() => {});
    const stderrEnd = this.#readStderr();
    void this.#readResponses().then(async () => {
      const { exitCode } = await client.exited;
      await stderrEnd;
      this.#fail(backend.explain({ exitCode, stderr: this.#stderr.toText().text }));
    });
  }

  get pending(): number {
    return this.#pending.length;
  }

  get open(): boolean {
    return this.#failure === undefined;
  }

  request({ operation, args, payload }: RemoteShellRequest): Promise<RemoteShellResponse> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const id = randomBytes(16).toString("hex");
    return new Promise((resolve, reject) => {
      const splitter = createResponseReader(id, (response) => {
        this.#pending.shift();
        resolve(response);
      });
      this.#pending.push({ splitter, reject });
      this.#send(`${this.#key} ${id} ${operation} ${quoteArguments(args)}\n`, payload);
    });
  }

  notify({ operation, args }: RemoteShellRequest): void {
    if (this.#failure === undefined) this.#send(`${this.#key} - ${operation} ${quoteArguments(args)}\n`, undefined);
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
    for (const { reject } of this.#pending.splice(0)) reject(this.#failure);
  }

  async #readResponses(): Promise<void> {
    for await (const chunk of this.#client.stdout) {
      let rest: Uint8Array = chunk;
      // Output before the first request is a greeting, for example of a login shell.
      while (rest.length > 0 && this.#pending[0] !== undefined) rest = this.#pending[0].splitter.write(rest);
    }
  }

  async #readStderr(): Promise<void> {
    for await (const chunk of this.#client.stderr) this.#stderr.write(chunk);
  }
}

/** Parses one response. Format: data, a line with the request's id and the status, the error message, the id again. */
function createResponseReader(id: string, onResponse: (response: RemoteShellResponse) => void): MarkSplitter {
  const [data, message]: [Buffer[], Buffer[]] = [[], []];
  let status: number | undefined;
  return createMarkSplitter(id, {
    data(bytes) {
      (status === undefined ? data : message).push(Buffer.from(bytes));
    },
    mark(rest) {
      if (status === undefined) {
        status = Number(rest);
        return true;
      }
      onResponse({ data: Buffer.concat(data), status, message: Buffer.concat(message).toString("utf8").trim() });
      return false;
    },
  });
}
