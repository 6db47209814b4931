import { toPlainJson } from "../text/neutralise-controls.ts";
import type { TextOutput } from "../world/world.ts";
import type { View } from "./view.ts";

/** Prints every event, increments included, as one line of JSON. */
export function createJsonlView(output: TextOutput): View {
  return { show: (envelope) => output.write(`${toPlainJson(envelope)}\n`), close: () => {} };
}
