import type { ExecOptions } from "@switchyard/contracts";
import type { WindowText } from "./byte-window.ts";
import { createByteWindow } from "./byte-window.ts";

/** Default number of characters of each output stream that are returned. See loop: §4.1. */
const DEFAULT_OUTPUT_CHARS = 256 * 1024;

/** Collects a command's output in truncated form, and passes the complete output to a listener as it arrives. */
export interface OutputCollector {
  /** Adds bytes of a stream. */
  write(stream: "stdout" | "stderr", chunk: Uint8Array): void;
  /** Passes the remaining buffered text to the listener and returns the collected output. */
  finish(): { readonly stdout: WindowText; readonly stderr: WindowText };
}

/**
 * Creates an output collector. If the listener throws, `onFailure` is called once and the listener is not called again.
 */
export function collectOutput(
  options: Pick<ExecOptions, "onOutput" | "maxOutputChars">,
  onFailure: (error: unknown) => void,
): OutputCollector {
  const maxChars = options.maxOutputChars ?? DEFAULT_OUTPUT_CHARS;
  const listener = guardListener(options.onOutput, onFailure);
  const streams = {
    stdout: { window: createByteWindow(maxChars), emit: createTextEmitter("stdout", listener) },
    stderr: { window: createByteWindow(maxChars), emit: createTextEmitter("stderr", listener) },
  };
  return {
    write(stream, chunk) {
      streams[stream].window.write(chunk);
      streams[stream].emit(chunk);
    },
    finish() {
      streams.stdout.emit(undefined);
      streams.stderr.emit(undefined);
      return { stdout: streams.stdout.window.toText(), stderr: streams.stderr.window.toText() };
    },
  };
}

type Listener = NonNullable<ExecOptions["onOutput"]>;

function guardListener(listener: ExecOptions["onOutput"], onFailure: (error: unknown) => void): Listener | undefined {
  if (listener === undefined) return undefined;
  let failed = false;
  return (chunk) => {
    if (failed) return;
    try {
      listener(chunk);
    } catch (error) {
      failed = true;
      onFailure(error);
    }
  };
}

/** Passes decoded text to a listener. A character split between two chunks is buffered until it is complete. */
function createTextEmitter(
  stream: "stdout" | "stderr",
  listener: Listener | undefined,
): (chunk: Uint8Array | undefined) => void {
  if (listener === undefined) return () => {};
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return (chunk) => {
    const text = decoder.decode(chunk, { stream: chunk !== undefined });
    if (text !== "") listener({ stream, text });
  };
}
