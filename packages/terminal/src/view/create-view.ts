import type { Terminal } from "../streams/terminal.ts";
import { createJsonlView } from "./jsonl-view.ts";
import { createLiveView } from "./live-view.ts";
import { createPlainView } from "./plain-view.ts";
import { SILENT_VIEW, type View } from "./view.ts";

/** What is printed while a run goes on. */
export type Progress = "events" | "people" | "nothing";

/** How a run is shown to people. */
interface ViewOptions {
  /** Warnings that people saw. */
  readonly shown?: Set<string> | undefined;
  /** Takes what a person says to the agent while it works; nothing where it would not hear it. */
  readonly steer?: ((text: string) => void) | undefined;
}

/**
 * The view for a kind of progress: live on a terminal, plain lines in a pipe. Warnings that people saw are noted in
 * `shown`.
 */
export function createView(
  terminal: Terminal,
  progress: Progress,
  { shown = new Set(), steer }: ViewOptions = {},
): View {
  if (progress === "nothing") return SILENT_VIEW;
  if (progress === "events") return createJsonlView(terminal.stdout);
  return withoutRepeatedWarnings(
    canRedraw(terminal) ? createLiveView(terminal, steer) : createPlainView(terminal.stdout),
    shown,
  );
}

/** A warning that comes with every answer of the model says nothing new the second time. */
function withoutRepeatedWarnings(view: View, seen: Set<string>): View {
  return {
    show(envelope) {
      if (envelope.type === "warning" && seen.has(envelope.payload.message)) return;
      if (envelope.type === "warning") seen.add(envelope.payload.message);
      view.show(envelope);
    },
    suspend: () => view.suspend(),
    close: () => view.close(),
  };
}

function canRedraw({ stdout, env }: Terminal): boolean {
  return stdout.isTerminal && env["TERM"] !== "dumb";
}
