import type { TextOutput } from "./terminal.ts";

/** Width of a terminal that reports none. */
const COLUMNS = 80;

/**
 * Creates the output for a stream of the process. `env` decides about colours: none with `NO_COLOR` or `TERM=dumb`. A
 * closed pipe does not end the process: it fires `closed` and `readerGone`.
 */
export function createTextOutput(stream: NodeJS.WriteStream, env: Readonly<NodeJS.ProcessEnv>): TextOutput {
  const [gone, readerGone] = [new AbortController(), new AbortController()];
  const isTerminal = stream.isTTY === true;
  // Without a listener a closed pipe would end the process with a stack trace.
  stream.on("error", (error) => {
    gone.abort(error);
    if (isReaderGone(error, isTerminal)) readerGone.abort(error);
  });
  return {
    isTerminal,
    hasColour: isTerminal && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb",
    get columns() {
      // A pseudo-terminal without a size reports 0.
      return stream.columns || COLUMNS;
    },
    closed: gone.signal,
    readerGone: readerGone.signal,
    write(text) {
      if (!gone.signal.aborted) stream.write(text);
    },
    flushed: () => flush(stream, gone.signal),
  };
}

/** A closed terminal fails with EIO, as a disk with bad blocks does. */
function isReaderGone(error: NodeJS.ErrnoException, isTerminal: boolean): boolean {
  const { code } = error;
  return code === "EPIPE" || code === "ECONNRESET" || (isTerminal && code === "EIO");
}

function flush(stream: NodeJS.WriteStream, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (gone.aborted) return resolve();
    gone.addEventListener("abort", () => resolve(), { once: true });
    // A write to a file is done at once, but reports its failure only in the next turn of the event loop.
    stream.write("", () => setImmediate(resolve));
  });
}
