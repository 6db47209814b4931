import type { LaunchTarget, TurnScope } from "@switchyard/adapter-kit";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { AcpConfig } from "../preset/acp-config.ts";

/** A tool call of the agent. */
export interface AcpToolCall {
  name: string;
  title: string;
  input: unknown;
  /** Output of the tool call so far. */
  output: string;
  isReported: boolean;
}

/** State of a session. */
export interface AcpState {
  readonly config: AcpConfig;
  readonly environment: ExecutionEnvironment;
  readonly workspacePath: string;
  /** The agent's session id; empty until the agent reports it. */
  sessionId: string;
  /** True while the agent replays the history of a loaded session. */
  isReplaying: boolean;
  /** Number of replayed updates. */
  replayed: number;
  /** Model that responds; empty if the agent did not report a model. */
  model: string;
  /** Current turn. `undefined` between turns. */
  turn: TurnScope | undefined;
  /** Text of the current message so far. `messageId` is the id of that message. */
  text: string;
  messageId: string;
  readonly tools: Map<string, AcpToolCall>;
  /** New texts of files by path. The user allowed these edits, so each may be written once without another question. */
  readonly allowedEdits: Map<string, string>;
}

/** Returns the state of a new session. */
export function createAcpState(config: AcpConfig, { environment, workspacePath }: LaunchTarget): AcpState {
  return {
    ...{ config, environment, workspacePath, sessionId: "", isReplaying: false, replayed: 0, model: "" },
    ...{ turn: undefined, text: "", messageId: "", tools: new Map(), allowedEdits: new Map() },
  };
}
