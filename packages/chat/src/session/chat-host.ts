import type { ExecutionEnvironment, SessionHandle, SessionImage, SessionReport } from "@switchyard/contracts";
import type { AnswerPrompt, StopRequest, Terminal, TextOutput, View } from "@switchyard/terminal";

/** Permission mode of a turn: `plan` denies changes, `ask` asks before each change, `auto` allows all changes. */
export type ChatMode = "plan" | "ask" | "auto";

/** Permission modes of a turn, the strictest first. */
export const CHAT_MODES: readonly ChatMode[] = ["plan", "ask", "auto"];

/** Settings that the user can change between turns. */
export interface ChatSettings {
  /** Name of the engine, or path of an engine configuration file. */
  readonly engine: string;
  /** Model reference, `provider/name`. `undefined` for the engine's default model. */
  readonly model: string | undefined;
  /**
   * Permission mode. `undefined` if the host (the program that embeds the session) decides, for example because
   * detailed rules were given.
   */
  readonly mode: ChatMode | undefined;
}

/** One turn of the conversation: a message that is sent to the engine. Each turn is a separate run. */
export interface ChatTurn {
  /** Message of the user. */
  readonly prompt: string;
  /** Images of the message. */
  readonly images: readonly SessionImage[];
  /** Settings of the turn. */
  readonly settings: ChatSettings;
  /** Id of the run whose conversation the turn continues. `undefined` for a new conversation. */
  readonly from: string | undefined;
}

/** Functions with which the host displays the run of a turn and asks the run's questions. */
export interface TurnDisplay {
  /** Output for diagnostics while the run starts. */
  readonly stderr: TextOutput;
  /** Asks the run's questions. */
  readonly ask: AnswerPrompt;
  /** Creates the view of the run. `isSteerable`: whether the engine accepts messages while it works. */
  openView(handle: SessionHandle, isSteerable: boolean): Promise<View>;
}

/** Earlier conversation that can be continued. */
export interface EarlierConversation {
  /** Id of the conversation's last run. */
  readonly runId: string;
  /** Task of the conversation's last run. */
  readonly title: string;
  /** Time at which the last run started, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Model of the last run, if it is known. */
  readonly model?: string | undefined;
  /** Engine of the last run. */
  readonly engine?: string | undefined;
  /** Last response of the engine. */
  readonly response: string;
}

/** Functions that the interactive session calls. The program that embeds the session provides them. */
export interface ChatHost {
  /** Workspace folder, for display. */
  readonly folder: string;
  /** Environment of the turns, for display. `undefined`: it is not shown. */
  readonly environment?: string | undefined;
  /** Path of the file that stores the inputs of this folder. `undefined`: inputs are not stored. */
  readonly historyFile?: string | undefined;
  /** Shell command that continues the conversation later. */
  readonly continueCommand: string;
  /** Finds files of the workspace for completion. Omits ignored files. */
  readonly files: Pick<ExecutionEnvironment, "glob">;
  /** Runs a turn to its end. Rejects with an `EngineError` if the run cannot start. */
  runTurn(turn: ChatTurn, display: TurnDisplay): Promise<SessionReport>;
  /** Reverts the changes of a run. Resolves with the reverted diff. Rejects with `run.not_undoable`. */
  undo(runId: string): Promise<string>;
  /** Finds the newest conversation whose runs worked in this folder. `undefined` if there is none. */
  findLatest(): Promise<EarlierConversation | undefined>;
  /** Prints stored runs to an output: those of the workspace folder, or those of all folders. */
  printRuns(output: TextOutput, scope: "folder" | "all"): Promise<void>;
  /**
   * Resolves with the permission mode in which an engine works unless the user chooses one. Default: `undefined` for all
   * engines. Rejects with an `EngineError` if the engine's configuration file cannot be read.
   */
  defaultMode?: ((engine: string) => Promise<ChatMode | undefined>) | undefined;
  /** Lists the names of the known engines. `undefined`: names are checked only when a turn starts. */
  listEngines?: (() => Promise<readonly string[]>) | undefined;
  /** Reads image files. Rejects with `input.unreadable`. */
  readImages(paths: readonly string[]): Promise<readonly SessionImage[]>;
  /** Masks secrets in a text. */
  mask(text: string): string;
}

/** Terminal and signals of an interactive session. */
export interface ChatTerminal extends Terminal {
  /** Calls `listener` for each request to stop, such as Ctrl-C, until the returned function is called. */
  onStopRequest(listener: (request: StopRequest) => void): () => void;
}

/** Options of `runChat`. */
export interface ChatOptions {
  /** Settings at the start. */
  readonly settings: ChatSettings;
  /** Conversation to continue. `undefined` for a new one. */
  readonly earlier?: EarlierConversation | undefined;
  /** First message, which is sent at once. */
  readonly prompt?: string | undefined;
}
