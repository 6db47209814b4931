import type { TextOutput } from "../streams/terminal.ts";
import { toPlainJson } from "../text/neutralise-controls.ts";
import { NOTHING_TO_SUSPEND, type View } from "./view.ts";

/** Creates a view that prints each event, including streamed text increments, as one line of JSON. */
export function createJsonlView(output: TextOutput): View {
  return {
    show: (envelope) => output.write(`${toPlainJson(envelope)}\n`),
    suspend: NOTHING_TO_SUSPEND,
    close: () => {},
  };
}
