import { createMarkSplitter } from "../lane/mark-splitter.ts";

/** Receives bytes. The stream waits for a returned promise. */
type ByteSink = (chunk: Buffer) => void | Promise<void>;

/** One output stream of a remote command, without the lines in which the remote script reports the command's state. */
export interface CommandStream {
  /** Passes all bytes to a sink: buffered bytes immediately, later bytes as they arrive. */
  take(sink: ByteSink): void;
  /** Resolves at the end of the stream. */
  readonly closed: Promise<void>;
  /** True if bytes are waiting for a consumer. */
  readonly isHeldUp: boolean;
  /**
   * Buffers all remaining bytes, with or without a consumer. Called when the process that writes has exited, so few
   * bytes remain.
   */
  keepRest(): void;
  /** Stops reading. */
  cancel(): void;
}

/** Rules for parsing a stream. */
export interface StreamRules {
  /** Unique text that starts the lines in which the remote script reports the command's state. */
  readonly mark: string;
  /** Receives each report of the remote script: the rest of the line after the prefix. */
  onMark(rest: string): void;
  /** Returns whether bytes belong to the command. Before the command starts, they belong to the client program. */
  isCommand(): boolean;
  /** Receives bytes that the client program itself wrote. */
  onClient?(chunk: Buffer): void;
  /** Returns whether the command is known to have started. */
  isStarted(): boolean;
}

/**
 * Reads an output stream of a client program. Once the command is known to have started, unconsumed bytes are buffered
 * only up to a small limit. Before that, everything is buffered: a client that carries both output streams on one
 * connection may deliver output before the report of the start.
 */
export function readCommandStream(source: ReadableStream<Uint8Array>, rules: StreamRules): CommandStream {
  const reader = source.getReader();
  const ready: Buffer[] = [];
  let sink: ByteSink | undefined;
  let wake: () => void = () => {};
  let isHeldUp = false;
  const deliverAll = async (): Promise<void> => {
    for (let chunk = ready.shift(); chunk !== undefined; chunk = ready.shift()) {
      if (sink === undefined) {
        ready.unshift(chunk);
        if (!rules.isStarted()) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      } else {
        isHeldUp = true;
        await sink(chunk);
        isHeldUp = false;
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
  let keepRest: () => void = () => {};
  const keepsRest = new Promise<void>((resolve) => {
    keepRest = resolve;
  });
  const pump = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      splitter.write(value);
      await Promise.race([deliver(), keepsRest]);
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
    // A broken stream counts as ended. The exit of the client program explains why.
    closed: Promise.race([pump().catch(() => {}), cancelled]),
    get isHeldUp() {
      return isHeldUp || (ready.length > 0 && rules.isStarted());
    },
    keepRest,
    cancel() {
      finish();
      reader.cancel().catch(() => {});
    },
  };
}
