import { readFileSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import type { TerminalStream, TextInput } from "./terminal.ts";

/** Characters that a terminal in raw mode delivers for Ctrl-C and Ctrl-Z instead of sending signals. */
const [INTERRUPT, SUSPEND] = ["\u0003", "\u001a"];

/**
 * Callbacks for Ctrl-C and Ctrl-Z. In raw mode, they replace the signals that a terminal otherwise sends for these
 * keys.
 */
export interface KeySignals {
  /** Called for Ctrl-C. */
  interrupt(): void;
  /** Called for Ctrl-Z: stops the process until the user continues it in the shell. */
  suspend(): void;
  /** Calls `listener` when the process continues after a stop, until the returned function is called. */
  onContinue(listener: () => void): () => void;
}

/**
 * Creates a reader of single keys. While the process is stopped or in the background, terminal settings are restored
 * and the shell receives the keys.
 */
export function readKeys(stream: TerminalStream, signals: KeySignals): TextInput["readKeys"] {
  return (listener) => {
    if (stream.isTTY !== true || stream.readableEnded || stream.destroyed) return undefined;
    const decoder = new StringDecoder("utf8");
    let isReading = false;
    const start = (): void => {
      if (isReading || !isInForeground()) return;
      isReading = true;
      stream.setRawMode(true);
      stream.on("data", take).resume();
    };
    const pause = (): void => {
      if (!isReading) return;
      isReading = false;
      stream.off("data", take).pause();
      stream.setRawMode(false);
    };
    function take(chunk: Buffer | string): void {
      const text = decoder.write(Buffer.from(chunk));
      if (text.includes(INTERRUPT)) signals.interrupt();
      if (text.includes(SUSPEND)) {
        pause();
        signals.suspend();
      }
      listener(text.replaceAll(INTERRUPT, "").replaceAll(SUSPEND, ""));
    }
    const ignore = signals.onContinue(() => {
      // The shell changed the terminal settings while the process was stopped, so they are set again.
      pause();
      start();
    });
    start();
    return {
      get isReading() {
        return isReading;
      },
      stop: () => {
        ignore();
        pause();
      },
    };
  };
}

/**
 * Returns true if this process is in the terminal's foreground process group. A background process that changes
 * terminal settings is stopped. Only Linux reports the foreground group in a file.
 */
function isInForeground(): boolean {
  if (process.platform !== "linux") return true;
  try {
    const stat = readFileSync("/proc/self/stat", "latin1");
    const [, , group, , , front] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return group === front;
  } catch {
    return true; // Unknown without /proc. Most commands start in the foreground.
  }
}
