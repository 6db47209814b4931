import picocolors from "picocolors";
import type { Terminal } from "../streams/terminal.ts";
import { neutraliseControls } from "../text/neutralise-controls.ts";

/** A question on a terminal: printed to standard error, answered on standard input. */
export interface Dialogue {
  /** Width of the terminal in characters. */
  readonly columns: number;
  /** Formats the first line of a question. */
  headline(text: string): string;
  /** Prints lines. */
  say(lines: readonly string[]): void;
  /**
   * Reads the next line of the user's input; `undefined` at the end of the input. Rejects when the answer is no longer
   * needed.
   */
  readLine(): Promise<string | undefined>;
}

/** Opens a question, and discards input that was typed before. Rejects with the signal's reason. */
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
        // The input ended without Enter, so a line break is printed.
        if (line === undefined) stderr.write("\n");
        return line === undefined ? undefined : neutraliseControls(line);
      } catch (error) {
        stderr.write("\n");
        throw error;
      }
    },
  };
}
