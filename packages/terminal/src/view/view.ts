import type { Envelope } from "@switchyard/contracts";

/** Shows a run while it happens. */
export interface View {
  /** Takes the next event. */
  show(envelope: Envelope): void;
  /** Leaves the terminal to a question, until the function that it returns is called. */
  suspend(): () => void;
  /** Leaves the terminal as it should be; nothing is shown afterwards. */
  close(): void;
}

/** For views that never draw over what others write. */
export const NOTHING_TO_SUSPEND: View["suspend"] = () => () => {};

/** Shows nothing. */
export const SILENT_VIEW: View = { show: () => {}, suspend: NOTHING_TO_SUSPEND, close: () => {} };
