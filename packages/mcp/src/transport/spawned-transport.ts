import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { EngineError, type SpawnedProcess } from "@switchyard/contracts";
import { SYSTEM_TIMER } from "../connection/timer.ts";
import { isRecord } from "../tool/clean-schema.ts";
import { createErrorTail, type ErrorTail, type MaskedText } from "./error-tail.ts";
import { createLineSplitter } from "./line-splitter.ts";
import { createOpenRequests, type OpenRequests } from "./open-requests.ts";
import { readLine } from "./read-line.ts";

/**
 * Time for a server to exit after its standard input is closed, in milliseconds. After this time, its process is ended.
 */
const CLOSE_GRACE_MS = 1_000;
/** Maximum wait for the last output after a process has exited, in milliseconds. */
const DRAIN_MS = 1_000;
/** Number of characters that are stored from the end of the server's standard error. */
const ERROR_TAIL_CHARS = 4_096;
/**
 * Maximum size of output that contains no valid message, as a multiple of the maximum message size. A server that sends
 * more is ended.
 */
const GARBAGE_RATIO = 4;

/** Number of lines of one chunk after which to yield to the event loop. */
const MAX_LINES_AT_ONCE = 64;
/**
 * Minimum number of bytes that each message in the write queue counts for. It accounts for the overhead of small
 * messages.
 */
const MIN_WAITING_BYTES = 4_096;

/** Options for a transport over the streams of a process. */
export interface SpawnedTransportOptions {
  /** The server's process. */
  readonly process: SpawnedProcess;
  /** Parses one JSON-RPC message. Throws for any other value. */
  readonly parse: (value: unknown) => JSONRPCMessage;
  /** Maximum size of one message, in bytes. */
  readonly maxMessageBytes: number;
  /** Masks secrets in the server's error output. */
  readonly mask: MaskedText;
  /** Called once, with the first text on standard output that is not an MCP message. */
  readonly onNoise: (text: string) => void;
}

/**
 * MCP over the standard streams of a process started by an environment: one message per line. Other text is skipped and
 * reported once, even if it precedes a message on the same line. If a line is too long, it is dropped and the request
 * that it responds to fails. A server that prints only invalid output, or sends requests without reading the responses,
 * is ended. After `close`, the process has ended.
 */
export class SpawnedTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T) => void;
  readonly #options: SpawnedTransportOptions;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #open: OpenRequests = createOpenRequests();
  readonly #errors: ErrorTail;
  #garbageBytes = 0;
  #waitingBytes = 0;
  #hasWarned = false;
  #closed: Promise<void> | undefined;
  #problem: string | undefined;

  constructor(options: SpawnedTransportOptions) {
    this.#options = options;
    this.#errors = createErrorTail(ERROR_TAIL_CHARS, options.mask);
    this.#writer = options.process.stdin.getWriter();
    // Ignored here, because a failed write is reported to the caller that sends the message.
    this.#writer.closed.catch(() => {});
  }

  /** Last part of the server's standard error output. */
  get errors(): string {
    return this.#errors.text();
  }

  /** Reason why the connection ended, if known. */
  get problem(): string | undefined {
    return this.#problem;
  }

  async start(): Promise<void> {
    const { process } = this.#options;
    void this.#errors.follow(process.stderr);
    const read = this.#read().catch(() => {});
    const exit = process.exited.then(async ({ exitCode, signal }) => {
      // The remaining output is read first, because the server may have responded just before it exited.
      await Promise.race([read, SYSTEM_TIMER.sleep(DRAIN_MS)]);
      return signal === undefined ? `it ended with exit code ${exitCode}` : `it was ended by ${signal}`;
    });
    const silent = read.then(() =>
      Promise.race([exit, SYSTEM_TIMER.sleep(DRAIN_MS).then(() => "it closed its standard output")]),
    );
    void Promise.race([exit, silent]).then((problem) => {
      // The exit of a server that was being closed is not a problem.
      if (this.#closed === undefined) this.#problem ??= problem;
      return this.close();
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed !== undefined) throw new EngineError("mcp.malformed", { problem: "its connection is closed" });
    const line = new TextEncoder().encode(`${JSON.stringify(message)}\n`);
    const bytes = Math.max(line.length, MIN_WAITING_BYTES);
    // The write queue is limited, because a server could send requests endlessly without reading the responses.
    if (this.#waitingBytes > 0 && this.#waitingBytes + bytes > this.#options.maxMessageBytes) {
      const problem = "it does not read its standard input";
      this.#problem ??= problem;
      void this.close();
      throw new EngineError("mcp.malformed", { problem });
    }
    this.#open.sent(message);
    this.#waitingBytes += bytes;
    try {
      await this.#writer.write(line);
    } finally {
      this.#waitingBytes -= bytes;
    }
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const { process } = this.#options;
    // Closing standard input is not awaited, because a server that does not read its input would block it.
    this.#writer.close().catch(() => {});
    await Promise.race([process.exited, SYSTEM_TIMER.sleep(CLOSE_GRACE_MS)]);
    await Promise.resolve(process[Symbol.asyncDispose]()).catch(() => {});
    this.onclose?.();
  }

  async #read(): Promise<void> {
    const { process, maxMessageBytes } = this.#options;
    const tooLong = (): void =>
      this.#fail(`it sent a message of more than ${maxMessageBytes} bytes, which was discarded`);
    const lines = createLineSplitter(maxMessageBytes, tooLong);
    for await (const chunk of process.stdout) {
      this.#garbageBytes += chunk.length;
      const taken = lines.push(chunk);
      for (const line of taken) this.#take(line);
      // Yields regularly. Chunks that are already available are read without a pause and would block the event loop.
      if (taken.length > MAX_LINES_AT_ONCE) await SYSTEM_TIMER.sleep(0);
      if (this.#garbageBytes > maxMessageBytes * GARBAGE_RATIO) {
        this.#problem ??= "it prints too much text on standard output that is not a message";
        return;
      }
    }
  }

  #take(line: string): void {
    if (line.trim() === "") return;
    const { values, noise } = readLine(line);
    if (noise !== "") this.#reportNoise(noise);
    for (const value of values) this.#takeValue(value);
  }

  #takeValue(value: unknown): void {
    let message: JSONRPCMessage;
    try {
      message = this.#options.parse(value);
    } catch (error) {
      this.#passOver(value, error);
      return;
    }
    this.#garbageBytes = 0;
    this.#open.received(message);
    this.onmessage?.(message);
  }

  /** Text that is not a message is reported only once, because some servers write their log to standard output. */
  #reportNoise(text: string): void {
    if (!this.#hasWarned) this.#options.onNoise(text);
    this.#hasWarned = true;
  }

  /** Handles a line that is not a message. If it was meant as a response, the waiting request fails. */
  #passOver(value: unknown, cause: unknown): void {
    this.#reportNoise(JSON.stringify(value) ?? "");
    this.onerror?.(new EngineError("mcp.malformed", { problem: "a line is not a message" }, { cause }));
    const isAnswer = isRecord(value) && value["method"] === undefined && value["jsonrpc"] !== undefined;
    if (isAnswer) this.#fail("its response is malformed", (id) => id === value["id"]);
  }

  #fail(problem: string, isMeant: (id: string | number) => boolean = () => true): void {
    for (const answer of this.#open.fail(problem, isMeant)) this.onmessage?.(answer);
  }
}
