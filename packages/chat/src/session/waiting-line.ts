import { formatDuration } from "@switchyard/terminal";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 100;

/** Creates the line that shows how long the start of a run takes. */
export function createWaitingLine(now: () => number): { line(): string } {
  const startedAt = now();
  return {
    line: () => {
      const elapsed = now() - startedAt;
      return `${FRAMES[Math.floor(elapsed / FRAME_MS) % FRAMES.length]} ${formatDuration(elapsed)} · starting`;
    },
  };
}
