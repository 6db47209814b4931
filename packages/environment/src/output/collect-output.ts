import type { ExecOptions } from "@switchyard/contracts";
import type { WindowText } from "./byte-window.ts";
import { createByteWindow } from "./byte-window.ts";

/** Characters kept per stream unless the caller says otherwise. loop: §4.1. */
const DEFAULT_OUTPUT_CHARS = 256 * 1024;

/** Output of a command, bounded, of which a listener is told while it arrives. */
export interface OutputCollector {
  /** Takes the next bytes of a stream. */
  write(stream: "stdout" | "stderr", chunk: Uint8Array): void;
  /** Tells the listener of what was held back, and gives what was kept. */
  finish(): { readonly stdout: WindowText; readonly stderr: WindowText };
}

/** Collects output; `onFailure` is told once when the listener throws, which is then told no more. */
export function collectOutput(
  options: Pick<ExecOptions, "onOutput" | "maxOutputChars">,
  onFailure: (error: unknown) => void,
): OutputCollector {
  const maxChars = options.maxOutputChars ?? DEFAULT_OUTPUT_CHARS;
  const listener = guardListener(options.onOutput, onFailure);
  const streams = {
    stdout: { window: createByteWindow(maxChars), tell: createTeller("stdout", listener) },
    stderr: { window: createByteWindow(maxChars), tell: createTeller("stderr", listener) },
  };
  return {
    write(stream, chunk) {
      streams[stream].window.write(chunk);
      streams[stream].tell(chunk);
    },
    finish() {
      streams.stdout.tell(undefined);
      streams.stderr.tell(undefined);
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

/** Tells a listener of decoded text; a character that is cut by two chunks is held back until it is whole. */
function createTeller(
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
