import type { EngineError } from "@switchyard/contracts";
import picocolors from "picocolors";
import { neutraliseControls } from "../text/neutralise-controls.ts";
import type { TextOutput } from "../world/world.ts";

/** Prints an error as people read it: one sentence and what to do next. */
export function printError(output: TextOutput, error: Pick<EngineError, "message" | "remedy">): void {
  const colours = picocolors.createColors(output.hasColour);
  output.write(
    `${colours.red("error:")} ${oneLine(error.message)}\n${colours.cyan("hint:")} ${oneLine(error.remedy)}\n`,
  );
}

function oneLine(text: string): string {
  // The command of an error may be empty, its remedy then names `switchyard  --help`.
  return neutraliseControls(text)
    .replace(/\s*\n\s*/g, " ")
    .replace("`switchyard  ", "`switchyard ")
    .trim();
}
