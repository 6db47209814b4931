import { neutraliseControls } from "../text/neutralise-controls.ts";

const TAB = "    ";

/** Makes control characters of a text visible, except line breaks. Tabs become spaces. */
export function visibleText(text: string): string {
  return neutraliseControls(text).replaceAll("\t", TAB);
}
