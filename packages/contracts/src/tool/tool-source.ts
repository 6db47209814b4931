import type { NoticePayload } from "../events/event-payloads.ts";
import type { RegisteredTool } from "./registered-tool.ts";

/**
 * Tools that come and go while a session runs, such as those of servers that are still starting: the value of
 * `DEPENDENCY.toolRegistry`. Contract: waits for nothing; names are the same for the same tools in every process, so
 * that a resumed run finds them again.
 */
export interface ToolSource {
  /** The tools that there are now; the same objects as before for those that did not change. */
  tools(): readonly RegisteredTool[];
  /** What there is to say to whoever watches the session, once: each notice is handed out one time. */
  takeNotices?(): readonly NoticePayload[];
  /** Calls back whenever there are other tools or something to say; the returned function ends that. */
  onChange(listener: () => void): () => void;
  /**
   * Resolves when the tools are those that were announced last: a server may have announced others whose list is still
   * being read. Never rejects. The session waits for it before each model request, for a limited time.
   */
  settled?(): Promise<void>;
}
