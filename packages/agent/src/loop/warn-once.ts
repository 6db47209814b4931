import type { NoticePayload } from "@switchyard/contracts";
import type { SessionCore } from "../session/session-core.ts";

/** Maximum number of warnings that a session remembers. Warnings beyond this number may be emitted repeatedly. */
const MAX_REMEMBERED = 1_000;

/**
 * Emits a warning, unless the session has emitted the same warning before. Otherwise every model call could repeat the
 * warning.
 */
export function warnOnce(core: SessionCore, warning: Pick<NoticePayload, "message" | "kind">): void {
  if (core.warnings.has(warning.message)) return;
  if (core.warnings.size < MAX_REMEMBERED) core.warnings.add(warning.message);
  core.emit("warning", warning);
}
