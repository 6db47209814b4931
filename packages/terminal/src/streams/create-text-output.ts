import type { TextOutput } from "./terminal.ts";

/** Width assumed for a terminal that reports none, in columns. */
const COLUMNS = 80;

/**
 * Creates the output for a stream of the process. Colours are disabled if `env` contains `NO_COLOR` or `TERM=dumb`. A
 * closed pipe does not end the process; instead, the signals `closed` and `readerGone` abort.
 */
export function createTextOutput(stream: NodeJS.WriteStream, env: Readonly<NodeJS.ProcessEnv>): TextOutput {
  const [gone, readerGone] = [new AbortController(), new AbortController()];
  const isTerminal = stream.isTTY === true;
  // Without an error listener, a closed pipe would end the process with a stack trace.
  stream.on("error", (error) => {
    gone.abort(error);
    if (isReaderGone(error, isTerminal)) readerGone.abort(error);
  });
  return {
    isTerminal,
    hasColour: isTerminal && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb",
    get columns() {
      // A pseudo-terminal without a size reports a width of 0.
      return stream.columns || COLUMNS;
    },
    get rows() {
      return stream.rows || undefined;
    },
    closed: gone.signal,
    readerGone: readerGone.signal,
    write(text) {
      if (!gone.signal.aborted) stream.write(text);
    },
    flushed: () => flush(stream, gone.signal),
  };
}

/**
 * Returns true if an error means that the reader closed the pipe or terminal. A closed terminal reports EIO. For files,
 * EIO is a disk error.
 */
function isReaderGone(error: NodeJS.ErrnoException, isTerminal: boolean): boolean {
  const { code } = error;
  return code === "EPIPE" || code === "ECONNRESET" || (isTerminal && code === "EIO");
}

function flush(stream: NodeJS.WriteStream, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (gone.aborted) return resolve();
    gone.addEventListener("abort", () => resolve(), { once: true });
    // A write to a file completes immediately, but a failure is reported only in the next event loop turn.
    stream.write("", () => setImmediate(resolve));
  });
}
