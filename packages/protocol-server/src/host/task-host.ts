import type {
  Envelope,
  ExecutionEnvironment,
  RunStore,
  SessionInput,
  SessionReport,
  UserPrompter,
} from "@switchyard/contracts";
import type { McpServers } from "@switchyard/mcp";
import type { PermissionMode } from "@switchyard/settings";

/** Task that a protocol client, such as an editor, requests. */
export interface ClientTask {
  /** Id of the run. */
  readonly runId: string;
  /** The client's prompt. */
  readonly prompt: string;
  /** Session input with conversation and workspace. The host adds model and limits. */
  readonly input: SessionInput;
  /** Permission mode that the client selected. Default: the mode of the host. */
  readonly mode?: PermissionMode | undefined;
  /** MCP servers that the client passed. */
  readonly mcpServers?: McpServers | undefined;
  /** Wraps the environment that the engine works in. */
  readonly wrapEnvironment?: ((environment: ExecutionEnvironment) => ExecutionEnvironment) | undefined;
  /** Function that answers the run's approval questions. Default: calls that need approval are denied. */
  readonly userPrompter?: UserPrompter | undefined;
  /** Signal that interrupts the run. */
  readonly signal: AbortSignal;
  /**
   * Called with every event of the run. A rejection means that the client has disconnected, so the run is interrupted.
   */
  readonly onEvent: (envelope: Envelope) => void | Promise<void>;
}

/** Services that a protocol server needs from its host program. */
export interface TaskHost {
  /** Runs a task and resolves when it has ended. Rejects with errors that prevent the start. */
  runTask(task: ClientTask): Promise<SessionReport>;
  /** Opens the store of the runs. */
  openStore(): Promise<RunStore>;
  /** Current time, in milliseconds since 1970. */
  now(): number;
}

/** Streams of a protocol connection in both directions, such as standard input and output. */
export interface Wire {
  /** Bytes from the client. */
  readonly readable: ReadableStream<Uint8Array>;
  /** Bytes to the client. A write resolves when the bytes have left the process. */
  readonly writable: WritableStream<Uint8Array>;
}
