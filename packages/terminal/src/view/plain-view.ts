import picocolors from "picocolors";
import type { TextOutput } from "../streams/terminal.ts";
import { neutraliseControls } from "../text/neutralise-controls.ts";
import { createEventRenderer } from "./event-renderer.ts";
import { createSubagentNames } from "./subagent-names.ts";
import { NOTHING_TO_SUSPEND, type View } from "./view.ts";

const MAX_COLUMNS = 200;

/** Creates a view for pipes and files: whole lines, no colours, no cursor movements. */
export function createPlainView(output: TextOutput): View {
  const style = { colours: picocolors.createColors(false), columns: MAX_COLUMNS };
  const nameOf = createSubagentNames();
  const renderEvent = createEventRenderer(nameOf);
  return {
    show(envelope) {
      const isAnswer = envelope.type === "assistant_text_end" && nameOf(envelope) === undefined;
      const lines = isAnswer ? answerLines(envelope.payload.content) : renderEvent(envelope, style);
      for (const line of lines) output.write(`${line}\n`);
    },
    suspend: NOTHING_TO_SUSPEND,
    close() {},
  };
}

function answerLines(text: string): string[] {
  const shown = neutraliseControls(text).trimEnd();
  return shown === "" ? [] : shown.split("\n");
}
