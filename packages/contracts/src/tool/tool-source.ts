import type { NoticePayload } from "../events/event-payloads.ts";
import type { RegisteredTool } from "./registered-tool.ts";

/**
 * Source of tools that change during a session, for example while MCP servers are starting. It is the value of
 * `DEPENDENCY.toolRegistry`. Contract: does not block. A tool has the same name in every process, so that a resumed run
 * finds it again.
 */
export interface ToolSource {
  /** Returns the current tools. An unchanged tool is returned as the same object each time. */
  tools(): readonly RegisteredTool[];
  /** Returns the notices for the user that have been added since the previous call. */
  takeNotices?(): readonly NoticePayload[];
  /** Calls the listener when tools change or a notice is available. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
  /**
   * Resolves when all announced tool changes have been read; never rejects. The session waits for it before each model
   * request, for a limited time.
   */
  settled?(): Promise<void>;
}
