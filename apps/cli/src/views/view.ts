import type { Envelope } from "@switchyard/contracts";

/** Shows a run while it happens. */
export interface View {
  /** Takes the next event. */
  show(envelope: Envelope): void;
  /** Leaves the terminal as it should be; nothing is shown afterwards. */
  close(): void;
}

/** Shows nothing. */
export const SILENT_VIEW: View = { show: () => {}, close: () => {} };
