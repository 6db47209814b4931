import { createMarkSplitter } from "../lane/mark-splitter.ts";

/** Takes bytes; the stream waits for a promise. */
type ByteSink = (chunk: Buffer) => void | Promise<void>;

/** One output stream of a command, without the marks in it. */
export interface CommandStream {
  /** Hands all bytes to a sink: those that came before at once, the others as they come. */
  take(sink: ByteSink): void;
  /** Resolves when nothing more comes. */
  readonly closed: Promise<void>;
  /** Whether bytes wait for whoever takes them. */
  readonly isHeldUp: boolean;
  /** Keeps what comes from now on, whether somebody takes it or not: whoever wrote it is gone, so there is little left. */
  keepRest(): void;
  /** Reads no more. */
  cancel(): void;
}

/** What is found in a stream. */
export interface StreamRules {
  /** What marks begin with. */
  readonly mark: string;
  /** Takes the rest of the line of each mark. */
  onMark(rest: string): void;
  /** Whether bytes are the command's; those of the client, before it started, are not. */
  isCommand(): boolean;
  /** Takes bytes of the client. */
  onClient?(chunk: Buffer): void;
  /** Whether it is known that the command has started. */
  isStarted(): boolean;
}

/**
 * Reads a stream of a client. As long as nobody takes them, no more than a few bytes are kept once the command has started.
 * Until that is known all are: a client that carries both streams on one connection may have the news of it behind them.
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
    // A stream that breaks has ended: how the client ended tells why.
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
