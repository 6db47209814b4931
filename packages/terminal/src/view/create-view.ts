import { loadMarkdown } from "../markdown/load-markdown.ts";
import type { Terminal } from "../streams/terminal.ts";
import type { FooterInput } from "./footer-input.ts";
import { createJsonlView } from "./jsonl-view.ts";
import { createLiveView } from "./live-view.ts";
import { createPlainView } from "./plain-view.ts";
import { SILENT_VIEW, type View } from "./view.ts";

/** Output while a run is active: `events` as JSON lines, text for `people`, or `nothing`. */
export type Progress = "events" | "people" | "nothing";

/** Options of `createView`. */
export interface ViewOptions {
  /** Warnings that were already shown. The view skips these warnings and adds each new warning that it shows. */
  readonly shown?: Set<string> | undefined;
  /**
   * Receives messages that the user types for the agent. `undefined` if the agent does not accept messages while it
   * runs.
   */
  readonly steer?: ((text: string) => void) | undefined;
  /**
   * Input line of another component. A view that redraws in place shows this input line below the session. Cannot be
   * combined with `steer`.
   */
  readonly input?: FooterInput | undefined;
}

/**
 * Creates the view (display of a run) for an output: redrawn in place on a terminal, plain lines in a pipe or with
 * `TERM=dumb`. Markdown in the model's text is rendered on a terminal only.
 */
export async function createView(
  terminal: Terminal,
  progress: Progress,
  { shown = new Set(), steer, input }: ViewOptions = {},
): Promise<View> {
  if (progress === "nothing") return SILENT_VIEW;
  if (progress === "events") return createJsonlView(terminal.stdout);
  if (!canRedraw(terminal)) return withoutRepeatedWarnings(createPlainView(terminal.stdout), shown);
  return withoutRepeatedWarnings(createLiveView(terminal, input ?? steer, await loadMarkdown()), shown);
}

/**
 * Wraps a view (display of a run) so that each warning is shown once, because some warnings repeat with every model
 * response.
 */
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
