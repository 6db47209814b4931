import type { ExecutionEnvironment } from "../environment/execution-environment.ts";
import type { EngineError } from "../errors/engine-error.ts";
import type { ModelApi } from "../model/model-api.ts";
import type { ModelRoute } from "../model/model-route.ts";
import type { Usage } from "../model/usage.ts";
import type { AgentEvent, TurnExitReason } from "./agent-event.ts";

/**
 * Capabilities of an agent, identical in all sessions of the agent. See agent-adapter: surface capabilities and
 * budgeting.
 */
export interface AdapterCapabilities {
  /**
   * When the agent reports token usage: during a turn, at its end, or never. If usage is never reported (`none`), only
   * a run's time can be limited.
   */
  readonly usage: "incremental" | "turn_end" | "none";
  /** How the agent resumes a conversation of an earlier process: by session id, by folder, or not at all. */
  readonly resume: "id" | "folder" | "none";
  /** Description of how tool permissions work for this agent, in one sentence. */
  readonly permissions: string;
  /** True if MCP servers can be passed to the agent. */
  readonly mcp: boolean;
}

/** An MCP server that is passed to an agent. */
export type AgentMcpServer =
  | {
      readonly command: string;
      readonly args?: readonly string[] | undefined;
      readonly env?: Readonly<Record<string, string>> | undefined;
    }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> | undefined };

/**
 * How an agent calls models through its host, the program that runs the agent. The agent then needs no API key of a
 * model provider.
 */
export interface AgentModelAccess {
  /**
   * Base URL for the agent's model calls, without a path, such as `http://127.0.0.1:41234`. It is reachable from the
   * agent's environment. Clients of OpenAI's APIs must append `/v1`.
   */
  readonly baseUrl: string;
  /** Base URLs for the wire formats whose clients cannot use `baseUrl`. The key is the wire format. */
  readonly baseUrls?: Readonly<Partial<Record<ModelApi, string>>> | undefined;
  /** Token that the agent sends as API key, wrapped so that it is not shown by accident. */
  readonly token: { reveal(): string };
}

/** Options for `AgentAdapter.startSession`. See agent-adapter: StartSessionParams. */
export interface StartAgentSessionOptions {
  /** Environment that the agent's processes run in, such as `local` or `ssh`. */
  readonly environment: ExecutionEnvironment;
  /** Absolute path of the agent's working folder, inside the environment's workspace. */
  readonly workspacePath: string;
  /** Agent's session id to resume. Default: a new session. Adapters that cannot resume ignore it. */
  readonly resumeSessionId?: string | undefined;
  /** MCP servers by name. Ignored by agents that do not support MCP. */
  readonly mcpServers?: Readonly<Record<string, AgentMcpServer>> | undefined;
  /**
   * Access to models through the host. The agent then receives no API keys of model providers. Adapters whose
   * `modelRoute` is absent or contains a `directReason` reject this option with `config.invalid`. Default: the agent
   * calls models directly.
   */
  readonly modelAccess?: AgentModelAccess | undefined;
  /** Cancels the start of the session when this signal aborts. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A session of an agent. Adapters store private state of the session elsewhere, not in this object. See agent-adapter:
 * Session.
 */
export interface AgentSession {
  /** The agent's session id; empty until the agent reports one. */
  readonly id: string;
}

/** A tool call that an agent may make only with the user's permission. Everything in it comes from the agent. */
export interface AgentPermissionRequest {
  /** Id of the tool call. */
  readonly toolCallId: string;
  /** Name of the tool. */
  readonly toolName: string;
  /** Arguments of the call, as plain data. */
  readonly toolArguments: Readonly<Record<string, unknown>>;
  /** Short description of the call, such as its command. */
  readonly title: string;
  /** Why the agent needs the permission, in the agent's words. `undefined` if it gives no reason. */
  readonly reason?: string | undefined;
}

/** Options for one turn. See agent-adapter: RunTurnParams. */
export interface RunTurnOptions {
  /** Prompt for the agent. */
  readonly prompt: string;
  /**
   * Called with every event, in order, and never after the turn has returned. Adapters with an event stream do not call
   * it.
   */
  readonly onEvent: (event: AgentEvent) => void;
  /** Maximum number of model turns, for agents that support a limit. Default: no limit. */
  readonly maxTurns?: number | undefined;
  /** Cancels the turn when this signal aborts. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Asks the user whether a tool call may run, for agents that request permissions during a turn. Resolves with true if
   * the user allows this one call. The signal aborts when the turn ends before the user answers; the promise then
   * rejects. Default: every requested permission is denied.
   */
  readonly askPermission?: ((request: AgentPermissionRequest, signal: AbortSignal) => Promise<boolean>) | undefined;
}

/** Outcome of a turn; a failure is a value, not an exception. See agent-adapter: TurnResult. */
export interface TurnResult {
  /** The agent's session id; empty if the agent reported none. */
  readonly sessionId: string;
  /** How the turn ended. */
  readonly exitReason: TurnExitReason;
  /** Tokens used since the session started; zeros if the agent reported none. */
  readonly usage: Usage;
  /** True if the agent reported token usage. */
  readonly usageMeasured: boolean;
  /** Text of the agent's last message. */
  readonly finalMessage: string;
  /** Model that responded. `undefined` if the agent does not report it. */
  readonly model?: string | undefined;
  /** Why the turn did not complete: an `adapter.*` error. `undefined` if it completed. */
  readonly error?: EngineError | undefined;
}

/**
 * Drives one kind of coding agent. See agent-adapter: AgentAdapter.
 *
 * Contract: turns of one session never overlap. The last event of every turn is exactly one of `turn_completed`,
 * `turn_failed`, `turn_cancelled` and `turn_input_required`. No process of the agent is left running after its session
 * was stopped.
 */
export interface AgentAdapter {
  /** Name of the agent that the adapter drives, as used in configuration. */
  readonly kind: string;
  /** Capabilities of the agent. */
  readonly capabilities: AdapterCapabilities;
  /**
   * Destination of the agent's model calls, and whether the adapter can redirect them. `undefined` if the adapter does
   * not report it.
   */
  readonly modelRoute?: ModelRoute | undefined;
  /** Starts a session: checks the workspace and finds the agent's program. Rejects with an `adapter.*` error. */
  startSession(options: StartAgentSessionOptions): Promise<AgentSession>;
  /**
   * Runs one turn. Rejects only on misuse: if the session belongs to another adapter, or if its previous turn is still
   * running.
   */
  runTurn(session: AgentSession, options: RunTurnOptions): Promise<TurnResult>;
  /**
   * Ends the agent's processes and releases all resources. Can be called after a failed turn and when no process is
   * running.
   */
  stopSession(session: AgentSession): Promise<void>;
  /** Streams the events of a session, for adapters that do not call `onEvent`. Ends when the session is stopped. */
  eventStream?(session: AgentSession): AsyncIterable<AgentEvent>;
}
