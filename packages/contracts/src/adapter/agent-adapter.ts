import type { ExecutionEnvironment } from "../environment/execution-environment.ts";
import type { EngineError } from "../errors/engine-error.ts";
import type { Usage } from "../model/usage.ts";
import type { AgentEvent, TurnExitReason } from "./agent-event.ts";

/** What an agent can do and tell; the same for all its sessions. agent-adapter: surface capabilities and budgeting. */
export interface AdapterCapabilities {
  /** Whether it reports tokens, and when; without them only time is a budget. */
  readonly usage: "incremental" | "turn_end" | "none";
  /** How a conversation of an earlier process goes on: by its id, by the folder, or not at all. */
  readonly resume: "id" | "folder" | "none";
  /** How the use of tools is permitted, one sentence. */
  readonly permissions: string;
  /** Whether MCP servers can be handed to it. */
  readonly mcp: boolean;
}

/** A tool server that an agent is told of. */
export type AgentMcpServer =
  | {
      readonly command: string;
      readonly args?: readonly string[] | undefined;
      readonly env?: Readonly<Record<string, string>> | undefined;
    }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> | undefined };

/** What a session of an agent is started with. agent-adapter: StartSessionParams. */
export interface StartAgentSessionOptions {
  /** Where its processes run; over SSH this is an ssh environment. */
  readonly environment: ExecutionEnvironment;
  /** Absolute path of the folder it works in, inside of the environment's workspace. */
  readonly workspacePath: string;
  /** Id of the agent's own session to go on with; adapters that cannot resume ignore it. */
  readonly resumeSessionId?: string | undefined;
  /** MCP servers by name, for agents that take them. */
  readonly mcpServers?: Readonly<Record<string, AgentMcpServer>> | undefined;
  /** Ends the start when it fires. */
  readonly signal?: AbortSignal | undefined;
}

/** A session of an agent. What the adapter keeps with it is the adapter's alone. agent-adapter: Session. */
export interface AgentSession {
  /** Id of the agent's own session; empty until it is known. */
  readonly id: string;
}

/** One turn. agent-adapter: RunTurnParams. */
export interface RunTurnOptions {
  /** What the agent is asked to do. */
  readonly prompt: string;
  /** Told of every event, in order; never after the turn has returned. Adapters with an event stream do not call it. */
  readonly onEvent: (event: AgentEvent) => void;
  /** Most turns of the model, for agents that can be told; no limit where it is unset. */
  readonly maxTurns?: number | undefined;
  /** Cancels the turn when it fires. */
  readonly signal?: AbortSignal | undefined;
}

/** How a turn ended; a failure is a value here. agent-adapter: TurnResult. */
export interface TurnResult {
  /** Id of the agent's own session; empty where it is not known. */
  readonly sessionId: string;
  /** How it ended. */
  readonly exitReason: TurnExitReason;
  /** Tokens since the session was started; zeros where none were measured. */
  readonly usage: Usage;
  /** Whether the agent reported tokens at all. */
  readonly usageMeasured: boolean;
  /** The agent's last words. */
  readonly finalMessage: string;
  /** Model that answered, where it is known. */
  readonly model?: string | undefined;
  /** Why it did not complete: an `adapter.*` error. */
  readonly error?: EngineError | undefined;
}

/**
 * Drives one kind of coding agent. agent-adapter: AgentAdapter.
 *
 * Contract: turns of one session never overlap; every turn tells exactly one of `turn_completed`, `turn_failed`,
 * `turn_cancelled` and `turn_input_required`, as its last event; nothing of the agent runs once a session was stopped.
 */
export interface AgentAdapter {
  /** Exact name of the kind. */
  readonly kind: string;
  /** What the agent can do. */
  readonly capabilities: AdapterCapabilities;
  /** Checks the workspace and finds the program. Rejects with `adapter.*`. */
  startSession(options: StartAgentSessionOptions): Promise<AgentSession>;
  /** Runs one turn. Rejects only on misuse: a session of somebody else, a turn under way. */
  runTurn(session: AgentSession, options: RunTurnOptions): Promise<TurnResult>;
  /** Ends what runs and gives everything back; also after a failed turn, and without a process. */
  stopSession(session: AgentSession): Promise<void>;
  /** Events of a session as they come, for adapters that do not call back; ends when the session was stopped. */
  eventStream?(session: AgentSession): AsyncIterable<AgentEvent>;
}
