import type { Publisher, SessionHandle, UserPrompter } from "@switchyard/contracts";
import type { OpenedEngine } from "@switchyard/engine-catalog";
import type { ApprovalChoice } from "@switchyard/settings";

/** Callbacks and abort signal with which a session is started, so that the command can show and stop the session. */
interface SessionHooks {
  /** Cancels the session. */
  signal: AbortSignal;
  /** Called with the error if the session fails. */
  onError: (error: unknown) => void;
  /** Answers the session's questions. */
  userPrompter: UserPrompter;
  /** Publisher that receives the session's events, if telemetry is configured. */
  observer?: Publisher | undefined;
}

/** Starts a prepared session. */
export type StartPrepared = (hooks: SessionHooks) => Promise<SessionHandle>;

/** Session that is ready to start, with the data for showing it and for asking the user its questions. */
export interface PreparedSession {
  /** Starts the session. */
  start: StartPrepared;
  /** Engine of the session. */
  opened: OpenedEngine;
  /** The user's choice of which tool calls need approval. */
  approvalChoice: ApprovalChoice;
  /** Whether the run's files remain after this process ends, so that the run can be resumed. */
  isResumable: boolean;
  /** Folder from which a temporary workspace was copied. */
  origin?: string | undefined;
}
