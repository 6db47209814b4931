import type { Client, ExecutionEnvironment, ModelRequest, OutputSpool, ToolSource, Usage } from "@switchyard/contracts";
import type { ApproveToolCall, AskUser } from "../approval/approval-request.ts";
import type { BackgroundTable } from "../background/background-table.ts";
import type { SessionBoundary } from "../checkpoint/session-boundary.ts";
import type { StoredState } from "../checkpoint/stored-state.ts";
import type { CompactionStrategy } from "../compaction/compaction-strategy.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { EventEmitter } from "../events/event-emitter.ts";
import type { Emit } from "../events/session-event.ts";
import type { SessionHooks } from "../hooks/session-hooks.ts";
import type { ToolRunOptions } from "../pipeline/run-tool.ts";
import type { ToolRegistry } from "../pipeline/tool-registry.ts";
import type { ProviderProfile } from "../profile/provider-profile.ts";
import type { CustomCommand } from "../skills/skill.ts";
import type { SessionSubagents } from "../subagents/session-subagents.ts";
import type { TurnRetries } from "../turn-retry/turn-retries.ts";
import type { ActiveTimer } from "./active-timer.ts";
import type { SessionConfig } from "./session-config.ts";
import type { CallExtension } from "./session-options.ts";
import type { SessionState } from "./session-state.ts";

/** What the steps of the loop share: the inside of a session. loop: Session, §2.1. */
export interface SessionCore {
  readonly id: string;
  readonly profile: ProviderProfile;
  readonly environment: ExecutionEnvironment;
  readonly client: Client;
  readonly config: SessionConfig;
  readonly registry: ToolRegistry;
  /** Where tools come from that change while the session runs. */
  readonly toolSource: ToolSource | undefined;
  readonly conversation: Conversation;
  readonly events: EventEmitter;
  readonly emit: Emit;
  readonly now: () => number;
  /** Fires when the session is aborted. */
  readonly signal: AbortSignal;
  readonly steering: string[];
  readonly followUps: string[];
  readonly isQuestion: (answer: string) => boolean;
  /** Takes the usage of each answer; nobody does when it is unset. */
  readonly reportUsage: ((usage: Usage) => Promise<void>) | undefined;
  /** Keeps the state at a boundary; nobody does when it is unset. */
  readonly onBoundary: ((boundary: SessionBoundary) => Promise<void>) | undefined;
  /** Awaited before each call that cannot be repeated. */
  readonly beforeEffect: (() => Promise<void>) | undefined;
  /** Commands that run beside the conversation. */
  readonly background: BackgroundTable;
  /** Where outputs go that are too large for an event; nothing is kept when it is unset. architecture: decision 10. */
  readonly spool: OutputSpool | undefined;
  /** Id of the subagent that it is; unset for a session of its own. */
  readonly agentId: string | undefined;
  /** Levels of parents above it. */
  readonly depth: number;
  /** Returns the session at the root of the family, whose limits apply to all members. */
  readonly root: () => SessionCore;
  /** Its children. loop: subagents, §2.1. */
  readonly subagents: SessionSubagents;
  /** Builds the system prompt, which is done once. loop: §6.3. */
  readonly buildSystemPrompt: () => Promise<string>;
  /** Decides about calls; all that are valid run when it is unset. loop: §8. */
  readonly approve: ApproveToolCall | undefined;
  /** Looks at model and tool calls. */
  readonly hooks: SessionHooks | undefined;
  /** Calls tools, hooks and compaction; they are just called when it is unset. */
  readonly callExtension: CallExtension | undefined;
  /** What the host says about the run, for hooks. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Asks the user; nobody can be asked when it is unset. */
  readonly askUser: AskUser | undefined;
  /** Time worked on inputs, by the whole family. */
  readonly activeTimer: ActiveTimer;
  /** Index of the first turn that is not history the session began with. */
  readonly firstTurn: number;
  /** Summarises the conversation; nobody does when it is unset. loop: §8 compaction. */
  readonly compaction: CompactionStrategy | undefined;
  /** Commands of the host by name; unset where there are none. loop: §8. */
  readonly commands: ReadonlyMap<string, CustomCommand> | undefined;
  /** Tells the host that a model call is made again. */
  readonly emitRetry: ModelRequest["onRetry"];
  /** The retries of model turns whose call failed. */
  readonly turnRetries: TurnRetries;
  /** What calls run with, once there was one. */
  toolRun: ToolRunOptions | undefined;
  /** Tokens the conversation must exceed before a compaction is looked at again. */
  compactAbove: number;
  state: SessionState;
  /** Questions of tools that wait for an answer. loop: AWAITING_INPUT, §2.3. */
  toolQuestions: number;
  /** Whether it was told that the price of an answer is not known. */
  isCostUnknown: boolean;
  /** Tool rounds of the current input so far. loop: round_count, §2.5. */
  rounds: number;
  /** Turns that were there at the last boundary, or that whoever submitted the input knows of. */
  storedTurnCount: number;
  /** `unrecordedUsage` of the conversation at the last boundary. */
  storedUsage: Usage | undefined;
  /** Whether somebody asked for a boundary where none is due. */
  isBoundarySuggested: boolean;
  /** Whether the open calls of the last answer are those of an earlier process, which may have begun them. */
  hasInheritedCalls: boolean;
  /** The system prompt once it is made; one whose making was cut short by an abort is none. */
  systemPrompt: string | undefined;
  /** Whether the context is known to be over the threshold, so that each crossing is told once. loop: §5.5. */
  isContextHigh: boolean;
  /** The pattern of calls the model was told about. loop: §2.10, decision 8. */
  warnedPattern: string | undefined;
  /** Warnings that were emitted once and are not repeated. */
  readonly warnings: Set<string>;
  /** The last boundary, apart from what happened since; only where there are a parent or children. */
  storedState: StoredState | undefined;
}
