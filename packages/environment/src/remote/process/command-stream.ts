import { createMarkSplitter } from "../shell/mark-splitter.ts";
import { type ByteSink, OutputDelivery } from "./output-delivery.ts";

/**
 * Output that could be the start of a report of the script is held back for at most this time, in milliseconds. The
 * script writes a report with one call, so the rest almost always arrives sooner.
 */
const HOLD_MS = 100;

/**
 * One output stream of a remote command. Lines in which the remote script reports the state of the command are removed.
 */
export interface CommandStream {
  /** Passes all bytes of the stream to a consumer: buffered bytes immediately, later bytes as they arrive. */
  take(sink: ByteSink): void;
  /** Resolves at the end of the stream. */
  readonly closed: Promise<void>;
  /** True if bytes are waiting for a consumer. */
  readonly isBlocked: boolean;
  /**
   * Buffers the rest of the stream even if there is no consumer. Called after the process has exited, when only few
   * bytes remain.
   */
  bufferRest(): void;
  /** Stops reading. */
  cancel(): void;
}

/** Settings and callbacks for parsing an output stream of a remote command. */
export interface StreamRules {
  /** Unique text that starts the lines in which the remote script reports the command's state. */
  readonly mark: string;
  /** Receives each report of the remote script, without the unique text at its start. */
  onMark(rest: string): void;
  /**
   * Returns true if the bytes received now are output of the command. Otherwise they are output of the client program.
   */
  isCommand(): boolean;
  /** Receives bytes that the client program itself wrote. */
  onClient?(chunk: Buffer): void;
  /** Returns whether the remote script has reported the start of the command. */
  isStarted(): boolean;
}

/**
 * Reads an output stream of a client program. Once the command is known to have started, unconsumed bytes are buffered
 * only up to a small limit. Before that, all bytes are buffered: if a client transfers both output streams over one
 * connection, output may arrive before the report of the command's start.
 */
export function readCommandStream(source: ReadableStream<Uint8Array>, rules: StreamRules): CommandStream {
  const reader = source.getReader();
  const delivery = new OutputDelivery(() => rules.isStarted());
  const splitter = createMarkSplitter(rules.mark, {
    data(bytes) {
      if (rules.isCommand()) delivery.push(Buffer.from(bytes));
      else rules.onClient?.(bytes);
    },
    mark(rest) {
      rules.onMark(rest);
      return true;
    },
  });
  let bufferRest: () => void = () => {};
  const bufferingRest = new Promise<void>((resolve) => {
    bufferRest = resolve;
  });
  let holding: NodeJS.Timeout | undefined;
  const release = (): void => {
    splitter.release();
    delivery.deliver().catch(() => {});
  };
  const pump = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      clearTimeout(holding);
      if (done) break;
      splitter.write(value);
      if (splitter.holdsOutput) holding = setTimeout(release, HOLD_MS);
      await Promise.race([delivery.deliver(), bufferingRest]);
    }
    splitter.end();
    await delivery.deliver();
  };
  let finish: () => void = () => {};
  const cancelled = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return {
    take: (sink) => delivery.take(sink),
    // A broken stream is treated as ended. The exit of the client program explains the reason.
    closed: Promise.race([pump().catch(() => {}), cancelled]),
    get isBlocked() {
      return delivery.isBlocked;
    },
    bufferRest,
    cancel() {
      clearTimeout(holding);
      finish();
      reader.cancel().catch(() => {});
    },
  };
}
