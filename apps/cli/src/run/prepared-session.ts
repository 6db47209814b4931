import type { Publisher, SessionHandle, UserPrompter } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";
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
  /** Name of the engine. Default: the built-in agent's name. */
  engineName: string | undefined;
  /** Redacts secrets in questions. */
  masker: () => Promise<Masker>;
  /** The user's choice of which tool calls need approval. */
  choice: ApprovalChoice;
  /** Whether the run's files remain after this process ends, so that the run can be resumed. */
  isResumable: boolean;
  /** Whether the engine accepts steering messages during the run. */
  isSteerable?: boolean | undefined;
  /** Folder from which a temporary workspace was copied. */
  origin?: string | undefined;
}
