import { cutToWidth } from "../text/display-width.ts";
import type { TextOutput } from "../world/world.ts";

/**
 * A terminal whose last lines are redrawn in place while finished lines scroll away above them. Only what is
 * written through it keeps the picture right.
 */
export interface LiveScreen {
  /** Prints finished lines above the footer. */
  print(lines: readonly string[]): void;
  /** Replaces the footer; lines that are too long are cut. */
  setFooter(lines: readonly string[]): void;
  /** Removes the footer. */
  close(): void;
}

/** Makes the live screen of a terminal. */
export function createLiveScreen(output: TextOutput): LiveScreen {
  let footer: readonly string[] = [];
  // One write for erasing and drawing, so that no half-drawn picture is seen.
  const draw = (above: readonly string[], below: readonly string[]): void => {
    const columns = output.columns - 1;
    const erase = footer.length === 0 ? "" : `\r${footer.length > 1 ? `\x1b[${footer.length - 1}A` : ""}\x1b[J`;
    footer = below;
    const cut = below.map((line) => cutToWidth(line, columns));
    output.write(`${erase}${above.map((line) => `${line}\n`).join("")}${cut.join("\n")}`);
  };
  return {
    print: (lines) => draw(lines, footer),
    setFooter: (lines) => draw([], lines),
    close: () => draw([], []),
  };
}
