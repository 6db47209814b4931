import type { LaunchTarget, TurnScope } from "@switchyard/adapter-kit";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { AcpConfig } from "../preset/acp-config.ts";

/** A tool call of the agent, as far as it is known. */
export interface AcpToolCall {
  name: string;
  title: string;
  input: unknown;
  /** What it printed, piece by piece. */
  output: string;
  isTold: boolean;
}

/** What is kept of one session. */
export interface AcpState {
  readonly config: AcpConfig;
  readonly environment: ExecutionEnvironment;
  readonly workspacePath: string;
  /** Id of the agent's session; empty until it is known. */
  sessionId: string;
  /** Whether what comes is the history of a session that is being loaded. */
  isReplaying: boolean;
  /** Updates of that history. */
  replayed: number;
  /** Model that answers, where the agent said so. */
  model: string;
  /** The turn under way. */
  turn: TurnScope | undefined;
  /** The text that is being said, and the message it belongs to. */
  text: string;
  messageId: string;
  readonly tools: Map<string, AcpToolCall>;
}

/** The state of a session that has not begun. */
export function createAcpState(config: AcpConfig, { environment, workspacePath }: LaunchTarget): AcpState {
  return {
    ...{ config, environment, workspacePath, sessionId: "", isReplaying: false, replayed: 0, model: "" },
    ...{ turn: undefined, text: "", messageId: "", tools: new Map() },
  };
}
