import type { EngineError } from "@switchyard/contracts";
import picocolors from "picocolors";
import type { TextOutput } from "../streams/terminal.ts";
import { neutraliseControls } from "../text/neutralise-controls.ts";

/** Prints an error as people read it: one sentence and what to do next; what it lists is on lines of its own. */
export function printError(output: TextOutput, error: Pick<EngineError, "message" | "remedy">): void {
  const colours = picocolors.createColors(output.hasColour);
  output.write(
    `${colours.red("error:")} ${indented(error.message)}\n${colours.cyan("hint:")} ${oneLine(error.remedy)}\n`,
  );
}

/** Further lines begin with spaces, so that none can be taken for one of ours. */
function indented(text: string): string {
  return text
    .split("\n")
    .map(oneLine)
    .filter((line) => line !== "")
    .join("\n  ");
}

function oneLine(text: string): string {
  // The command of an error may be empty, its remedy then names `switchyard  --help`.
  return neutraliseControls(text)
    .replace(/\s*\n\s*/g, " ")
    .replace("`switchyard  ", "`switchyard ")
    .trim();
}
