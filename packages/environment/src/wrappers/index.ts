// Public API for users.

export type { Fault, FaultPlan, FaultRule } from "./faults/fault-plan.ts";
export { withFaults } from "./faults/with-faults.ts";
export type { EnvironmentLogEntry, LoggedCall, LoggedOutcome } from "./logging/log-entry.ts";
export type { EnvironmentLog, LoggingOptions } from "./logging/with-logging.ts";
export { withLogging } from "./logging/with-logging.ts";
export type { OverlayConflict } from "./overlay/find-conflicts.ts";
export type { AppliedOverlay, ApplyOverlayOptions, Overlay, OverlayOptions } from "./overlay/open-overlay.ts";
export { openOverlay } from "./overlay/open-overlay.ts";
export type { OverlayChange } from "./overlay/overlay-change.ts";
export { withReadBeforeWrite } from "./with-read-before-write.ts";
export type { ReadOnlyOptions } from "./with-read-only.ts";
export { withReadOnly } from "./with-read-only.ts";

// Public API for packages that implement wrappers.
export type { EnvironmentCall, EnvironmentOperation, WrapperOptions, Wrapping } from "./wrap-environment.ts";
export { wrapEnvironment } from "./wrap-environment.ts";
