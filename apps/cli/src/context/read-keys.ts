import { readFileSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import type { TextInput } from "@switchyard/terminal";

type KeyInput = Pick<NodeJS.ReadStream, "setRawMode" | "isTTY" | "readableEnded" | "destroyed"> & NodeJS.ReadableStream;

/** What Ctrl-C and Ctrl-Z are where the terminal makes no signals of them. */
const [INTERRUPT, SUSPEND] = ["\u0003", "\u001a"];

/** What the keys of the terminal mean to the process. */
export interface KeySignals {
  /** Ctrl-C was pressed. */
  interrupt(): void;
  /** Ctrl-Z was pressed: stops the process until its shell lets it go on. */
  suspend(): void;
  /** Calls back when the process goes on after it was stopped, until the returned function is called. */
  onContinue(listener: () => void): () => void;
}

/**
 * Reads keys as they are pressed. The terminal is given back with every pause: whoever stops this process, or types
 * while it is in the background, types for their shell.
 */
export function readKeys(stream: KeyInput, signals: KeySignals): TextInput["readKeys"] {
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
      // The shell has set the terminal as it wants it.
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

/** A process in the background that touches its terminal is stopped. Only Linux says who is in front without asking. */
function isInForeground(): boolean {
  if (process.platform !== "linux") return true;
  try {
    const stat = readFileSync("/proc/self/stat", "latin1");
    const [, , group, , , front] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return group === front;
  } catch {
    return true; // Without /proc nothing is known; most commands are started in front.
  }
}
