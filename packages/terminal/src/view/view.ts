import type { Envelope } from "@switchyard/contracts";

/** Shows a run while it works. */
export interface View {
  /** Shows the next event. */
  show(envelope: Envelope): void;
  /** Frees the terminal for a question, until the returned function is called. */
  suspend(): () => void;
  /** Restores the terminal. Later events are not shown. */
  close(): void;
}

/** `suspend` of views that never redraw. */
export const NOTHING_TO_SUSPEND: View["suspend"] = () => () => {};

/** View that shows nothing. */
export const SILENT_VIEW: View = { show: () => {}, suspend: NOTHING_TO_SUSPEND, close: () => {} };
