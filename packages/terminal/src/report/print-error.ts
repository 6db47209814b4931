import { type EngineError, toSentence } from "@switchyard/contracts";
import picocolors from "picocolors";
import type { TextOutput } from "../streams/terminal.ts";
import { neutraliseControls } from "../text/neutralise-controls.ts";

/** Prints an error message and its remedy. Continuation lines of the message are indented. */
export function printError(output: TextOutput, error: Pick<EngineError, "message" | "remedy">): void {
  const colours = picocolors.createColors(output.hasColour);
  output.write(
    `${colours.red("error:")} ${indented(error.message)}\n${colours.cyan("hint:")} ${oneLine(toSentence(error.remedy))}\n`,
  );
}

/** Indents continuation lines, so that untrusted text cannot imitate the program's own lines. */
function indented(text: string): string {
  return text
    .split("\n")
    .map(oneLine)
    .filter((line) => line !== "")
    .map((line, _, lines) => (lines.length === 1 ? toSentence(line) : line))
    .join("\n  ");
}

function oneLine(text: string): string {
  // Some remedies suggest the command `switchyard SUBCOMMAND --help`. If an error concerns no subcommand, the
  // command contains two spaces after `switchyard`. One of them is removed.
  return neutraliseControls(text)
    .replace(/\s*\n\s*/g, " ")
    .replace("`switchyard  ", "`switchyard ")
    .trim();
}
