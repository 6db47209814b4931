import type { Envelope } from "@switchyard/contracts";

/** Shows the events of a run while it is active. */
export interface View {
  /** Shows the next event. */
  show(envelope: Envelope): void;
  /** Releases the terminal for a question, until the returned function is called. */
  suspend(): () => void;
  /** Restores the terminal. Later events are not shown. */
  close(): void;
}

/** Implementation of `suspend` for views that never redraw. */
export const NOTHING_TO_SUSPEND: View["suspend"] = () => () => {};

/** View that shows nothing. */
export const SILENT_VIEW: View = { show: () => {}, suspend: NOTHING_TO_SUSPEND, close: () => {} };
