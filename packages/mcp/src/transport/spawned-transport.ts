import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { EngineError, type SpawnedProcess } from "@switchyard/contracts";
import { SYSTEM_TIMER } from "../connection/timer.ts";
import { isRecord } from "../tool/clean-schema.ts";
import { createErrorTail, type ErrorTail, type MaskedText } from "./error-tail.ts";
import { createLineSplitter } from "./line-splitter.ts";
import { createOpenRequests, type OpenRequests } from "./open-requests.ts";
import { readLine } from "./read-line.ts";

/** Time a server has to end when its standard input ends, in milliseconds; then it is ended. */
const CLOSE_GRACE_MS = 1_000;
/** Time the last output of a process that has ended may take, in milliseconds. */
const DRAIN_MS = 1_000;
/** Characters of standard error that are kept. */
const ERROR_TAIL_CHARS = 4_096;
/** Messages' sizes of output without a message among it that a server may print. */
const GARBAGE_RATIO = 4;

/** Lines of one chunk behind which others have their turn. */
const MAX_LINES_AT_ONCE = 64;
/** Bytes that a message counts at least while it waits to be written: so much is kept for each. */
const MIN_WAITING_BYTES = 4_096;

/** What a transport over the streams of a process needs. */
export interface SpawnedTransportOptions {
  /** The server. */
  readonly process: SpawnedProcess;
  /** Reads one message; throws for anything else. */
  readonly parse: (value: unknown) => JSONRPCMessage;
  /** Most bytes of one message. */
  readonly maxMessageBytes: number;
  /** Hides secrets in what the server prints for people. */
  readonly mask: MaskedText;
  /** Called once with the first text that is no message. */
  readonly onNoise: (text: string) => void;
}

/**
 * MCP over the standard streams of a process that an environment started: one message a line. Text that is no message
 * is passed over and reported once, also before a message on its line; lines that are too long thrown away with an error for whoever waits, and a server that prints nothing
 * else, or asks without reading the answers, is given up. Nothing of it is left running behind `close`.
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
    // What fails to be written fails where it is sent.
    this.#writer.closed.catch(() => {});
  }

  /** The end of what the server printed on its standard error. */
  get errors(): string {
    return this.#errors.text();
  }

  /** Why the connection ended, where that is known. */
  get problem(): string | undefined {
    return this.#problem;
  }

  async start(): Promise<void> {
    const { process } = this.#options;
    void this.#errors.follow(process.stderr);
    const read = this.#read().catch(() => {});
    const exit = process.exited.then(async ({ exitCode, signal }) => {
      // It may have answered with its last breath.
      await Promise.race([read, SYSTEM_TIMER.sleep(DRAIN_MS)]);
      return signal === undefined ? `it ended with exit code ${exitCode}` : `it was ended by ${signal}`;
    });
    const silent = read.then(() =>
      Promise.race([exit, SYSTEM_TIMER.sleep(DRAIN_MS).then(() => "it closed its standard output")]),
    );
    void Promise.race([exit, silent]).then((problem) => {
      // How it ended because it was to end is no problem.
      if (this.#closed === undefined) this.#problem ??= problem;
      return this.close();
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed !== undefined) throw new EngineError("mcp.malformed", { problem: "its connection is closed" });
    const line = new TextEncoder().encode(`${JSON.stringify(message)}\n`);
    const bytes = Math.max(line.length, MIN_WAITING_BYTES);
    // A server may ask without end and read no answer.
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
    // A server that does not read its input keeps it from ending.
    this.#writer.close().catch(() => {});
    await Promise.race([process.exited, SYSTEM_TIMER.sleep(CLOSE_GRACE_MS)]);
    await Promise.resolve(process[Symbol.asyncDispose]()).catch(() => {});
    this.onclose?.();
  }

  async #read(): Promise<void> {
    const { process, maxMessageBytes } = this.#options;
    const tooLong = (): void =>
      this.#fail(`it sent a message of more than ${maxMessageBytes} bytes, which was thrown away`);
    const lines = createLineSplitter(maxMessageBytes, tooLong);
    for await (const chunk of process.stdout) {
      this.#garbageBytes += chunk.length;
      const taken = lines.push(chunk);
      for (const line of taken) this.#take(line);
      // Chunks that are there already come without a pause in between, and everybody else would wait for them.
      if (taken.length > MAX_LINES_AT_ONCE) await SYSTEM_TIMER.sleep(0);
      if (this.#garbageBytes > maxMessageBytes * GARBAGE_RATIO) {
        this.#problem ??= "it floods its standard output with what is no message";
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

  /** Once: some servers log to their standard output. */
  #reportNoise(text: string): void {
    if (!this.#hasWarned) this.#options.onNoise(text);
    this.#hasWarned = true;
  }

  /** A line that is no message; where it was meant as an answer, whoever waits for that has one. */
  #passOver(value: unknown, cause: unknown): void {
    this.#reportNoise(JSON.stringify(value) ?? "");
    this.onerror?.(new EngineError("mcp.malformed", { problem: "a line is no message" }, { cause }));
    const isAnswer = isRecord(value) && value["method"] === undefined && value["jsonrpc"] !== undefined;
    if (isAnswer) this.#fail("its answer is malformed", (id) => id === value["id"]);
  }

  #fail(problem: string, isMeant: (id: string | number) => boolean = () => true): void {
    for (const answer of this.#open.fail(problem, isMeant)) this.onmessage?.(answer);
  }
}
