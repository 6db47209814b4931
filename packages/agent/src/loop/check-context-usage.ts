import { CHARACTERS_PER_TOKEN } from "../conversation/conversation.ts";
import type { SessionCore } from "../session/session-core.ts";

/** Share of the context window above which the host is warned. See loop: §5.5. */
const WARNING_SHARE = 0.8;

/**
 * Warns the host each time the visible history grows beyond 80 % of the context window. See loop: check_context_usage,
 * §5.5.
 */
export function checkContextUsage(core: SessionCore): void {
  const window = core.profile.contextWindowTokens;
  const tokens = core.conversation.characters / CHARACTERS_PER_TOKEN;
  const isHigh = tokens > window * WARNING_SHARE;
  if (isHigh && !core.isContextHigh) {
    const percent = Math.round((tokens / window) * 100);
    const message = `Context usage at ~${percent}% of context window`;
    core.emit("warning", { message, kind: "context_usage", details: { tokens: Math.round(tokens), window, percent } });
  }
  core.isContextHigh = isHigh;
}
