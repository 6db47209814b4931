import type { Terminal } from "../streams/terminal.ts";
import { formatDuration } from "../text/format-duration.ts";
import { neutraliseControls } from "../text/neutralise-controls.ts";
import { createLiveScreen } from "./live-screen.ts";

/** Time before a wait is shown, in milliseconds. */
const DELAY_MS = 1_000;
const FRAME_MS = 200;
const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/**
 * Shows a line with the elapsed time on standard error while work lasts longer than a second. The line disappears when
 * the work ends. Shows nothing unless standard error is a terminal that can be redrawn. The returned promise settles in
 * the same way as the work.
 */
export async function showWait<T>(
  { stderr, env, now }: Pick<Terminal, "stderr" | "env" | "now">,
  label: string,
  work: Promise<T>,
): Promise<T> {
  if (!stderr.isTerminal || env["TERM"] === "dumb") return await work;
  const screen = createLiveScreen(stderr);
  const startedAt = now();
  let frame = 0;
  const ticker = setInterval(() => {
    const elapsed = now() - startedAt;
    if (elapsed < DELAY_MS) return;
    frame = (frame + 1) % FRAMES.length;
    screen.setFooter([`${FRAMES[frame]} ${neutraliseControls(label)} · ${formatDuration(elapsed)}`]);
  }, FRAME_MS);
  try {
    return await work;
  } finally {
    clearInterval(ticker);
    screen.close();
  }
}
