import { createMarkSplitter } from "../lane/mark-splitter.ts";

/** Receives bytes. The stream waits for a returned promise. */
type ByteSink = (chunk: Buffer) => void | Promise<void>;

/** One output stream of a command, with marks removed. */
export interface CommandStream {
  /** Passes all bytes to a sink: buffered ones immediately, later ones as they arrive. */
  take(sink: ByteSink): void;
  /** Resolves at the end of the stream. */
  readonly closed: Promise<void>;
  /** True if bytes are waiting for a consumer. */
  readonly isHeldUp: boolean;
  /** Buffers all following bytes, with or without a consumer. The writer has exited, so little is left. */
  keepRest(): void;
  /** Stops reading. */
  cancel(): void;
}

/** Rules for parsing a stream. */
export interface StreamRules {
  /** Prefix of marks. */
  readonly mark: string;
  /** Receives the rest of the line of each mark. */
  onMark(rest: string): void;
  /** Returns whether bytes belong to the command. Before it starts, they belong to the client. */
  isCommand(): boolean;
  /** Receives the client's bytes. */
  onClient?(chunk: Buffer): void;
  /** Returns whether the command is known to have started. */
  isStarted(): boolean;
}

/**
 * Reads a stream of a client. Once the command has started, unconsumed bytes are buffered only up to a small limit.
 * Before that, everything is buffered: a client that carries both streams on one connection may deliver the start mark
 * after them.
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
    // A broken stream counts as ended; the client's exit explains why.
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
