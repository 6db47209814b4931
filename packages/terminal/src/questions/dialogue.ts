import picocolors from "picocolors";
import type { Terminal } from "../streams/terminal.ts";
import { neutraliseControls } from "../text/neutralise-controls.ts";

/** A question on a terminal: what is said goes to standard error, what is typed comes from standard input. */
export interface Dialogue {
  /** Width of the terminal in characters. */
  readonly columns: number;
  /** The first line of a question. */
  headline(text: string): string;
  /** Prints lines. */
  say(lines: readonly string[]): void;
  /** The next line that is typed; nothing at the end of the input. Rejects when nobody waits for it any more. */
  readLine(): Promise<string | undefined>;
}

/** Opens a question; what was typed before is dropped. Rejects with the signal's reason. */
export async function openDialogue({ stdin, stderr }: Terminal, signal: AbortSignal): Promise<Dialogue> {
  const colours = picocolors.createColors(stderr.hasColour);
  await stdin.dropTyped();
  signal.throwIfAborted();
  return {
    columns: stderr.columns,
    headline: (text) => `${colours.cyan("?")} ${colours.bold(text)}`,
    say: (lines) => stderr.write(`${lines.join("\n")}\n`),
    readLine: async () => {
      stderr.write(`${colours.cyan(">")} `);
      try {
        const line = await stdin.readLine(signal);
        // The end of the input leaves the cursor where it is.
        if (line === undefined) stderr.write("\n");
        return line === undefined ? undefined : neutraliseControls(line);
      } catch (error) {
        stderr.write("\n");
        throw error;
      }
    },
  };
}
