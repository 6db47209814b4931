import { createMarkSplitter } from "../shell/mark-splitter.ts";

/**
 * Output that could be the start of a report of the script is held back for at most this time, in milliseconds. The
 * script writes a report with one call, so the rest almost always arrives sooner.
 */
const HOLD_MS = 100;

/** Function that receives bytes. If it returns a promise, the stream waits for the promise. */
type ByteSink = (chunk: Buffer) => void | Promise<void>;

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
  const ready: Buffer[] = [];
  let sink: ByteSink | undefined;
  let wake: () => void = () => {};
  let isBlocked = false;
  const deliverAll = async (): Promise<void> => {
    for (let chunk = ready.shift(); chunk !== undefined; chunk = ready.shift()) {
      if (sink === undefined) {
        ready.unshift(chunk);
        if (!rules.isStarted()) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      } else {
        isBlocked = true;
        await sink(chunk);
        isBlocked = false;
      }
    }
  };
  let delivering: Promise<void> = Promise.resolve();
  const deliver = (): Promise<void> => {
    delivering = delivering.then(deliverAll);
    return delivering;
  };
  const splitter = createMarkSplitter(rules.mark, {
    data(bytes) {
      if (rules.isCommand()) ready.push(Buffer.from(bytes));
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
    deliver().catch(() => {});
  };
  const pump = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      clearTimeout(holding);
      if (done) break;
      splitter.write(value);
      if (splitter.holdsOutput) holding = setTimeout(release, HOLD_MS);
      await Promise.race([deliver(), bufferingRest]);
    }
    splitter.end();
    await deliver();
  };
  let finish: () => void = () => {};
  const cancelled = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return {
    take(next) {
      sink = next;
      wake();
      deliver().catch(() => {});
    },
    // A broken stream is treated as ended. The exit of the client program explains the reason.
    closed: Promise.race([pump().catch(() => {}), cancelled]),
    get isBlocked() {
      return isBlocked || (ready.length > 0 && rules.isStarted());
    },
    bufferRest,
    cancel() {
      clearTimeout(holding);
      finish();
      reader.cancel().catch(() => {});
    },
  };
}
