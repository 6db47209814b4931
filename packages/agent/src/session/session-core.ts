import type {
  Client,
  EffectJournal,
  ExecutionEnvironment,
  ModelRequest,
  OutputSpool,
  ToolSource,
  Usage,
} from "@switchyard/contracts";
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

/** Internal state of a session, shared by the steps of the loop. See loop: Session, §2.1. */
export interface SessionCore {
  readonly id: string;
  readonly profile: ProviderProfile;
  readonly environment: ExecutionEnvironment;
  readonly client: Client;
  readonly config: SessionConfig;
  readonly registry: ToolRegistry;
  /** Source of tools that may change during the session. */
  readonly toolSource: ToolSource | undefined;
  readonly conversation: Conversation;
  readonly events: EventEmitter;
  readonly emit: Emit;
  readonly now: () => number;
  /** Signal that aborts when the session is aborted. */
  readonly signal: AbortSignal;
  readonly steering: string[];
  readonly followUps: string[];
  readonly isQuestion: (answer: string) => boolean;
  /** Called with the usage of each model response. `undefined`: usage is not reported. */
  readonly reportUsage: ((usage: Usage) => Promise<void>) | undefined;
  /**
   * Stores the session state. Called at each checkpoint boundary, such as the end of a tool round. `undefined`: the
   * state is not stored.
   */
  readonly onBoundary: ((boundary: SessionBoundary) => Promise<void>) | undefined;
  /** Awaited before each tool call that cannot be repeated safely. */
  readonly beforeEffect: (() => Promise<void>) | undefined;
  /**
   * Records which tool calls were started and ended. `undefined`: the host does not execute the session step by step.
   */
  readonly effectJournal: EffectJournal | undefined;
  /** Background commands. */
  readonly background: BackgroundTable;
  /**
   * Storage for tool outputs that are too large for an event. `undefined`: outputs are not stored. See architecture:
   * decision 10.
   */
  readonly spool: OutputSpool | undefined;
  /** Subagent id. `undefined` for the root session. */
  readonly agentId: string | undefined;
  /** Number of ancestor sessions. 0 for the root session. */
  readonly depth: number;
  /** Returns the root session, whose limits also apply to all of its subagents. */
  readonly root: () => SessionCore;
  /** Subagents. See loop: subagents, §2.1. */
  readonly subagents: SessionSubagents;
  /** Builds the system prompt. Called once. See loop: §6.3. */
  readonly buildSystemPrompt: () => Promise<string>;
  /** Approves or denies calls. `undefined`: all valid calls run. See loop: §8. */
  readonly approve: ApproveToolCall | undefined;
  /** Hooks around model and tool calls. */
  readonly hooks: SessionHooks | undefined;
  /** Wraps calls of tools, hooks and compaction strategies. `undefined`: the calls are not wrapped. */
  readonly callExtension: CallExtension | undefined;
  /** Attributes of the run, for hooks. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Asks the user. `undefined`: no user can be asked. */
  readonly askUser: AskUser | undefined;
  /** Measures the time that the session and its subagents spend on inputs. */
  readonly activeTimer: ActiveTimer;
  /** Index of the first turn after the initial history. */
  readonly firstTurn: number;
  /** Compaction strategy. `undefined`: none. See loop: §8 compaction. */
  readonly compaction: CompactionStrategy | undefined;
  /** Custom commands by name. `undefined` if there are none. See loop: §8. */
  readonly commands: ReadonlyMap<string, CustomCommand> | undefined;
  /** Emits an event when the model client retries a model call. */
  readonly emitRetry: ModelRequest["onRetry"];
  /** Retry state of turns. */
  readonly turnRetries: TurnRetries;
  /** Options shared by all tool calls. `undefined` before the first call. */
  toolRun: ToolRunOptions | undefined;
  /** Token count that the conversation must exceed before compaction is considered again. */
  compactAbove: number;
  state: SessionState;
  /**
   * Number of questions that running tools have asked the user and that are not answered yet. See loop: AWAITING_INPUT,
   * §2.3.
   */
  toolQuestions: number;
  /** Whether the warning about an unknown price was emitted. */
  isCostUnknown: boolean;
  /** Number of tool rounds for the current input. See loop: round_count, §2.5. */
  rounds: number;
  /**
   * Number of turns when the session state was last stored. A new input alone is no reason to store the state: if the
   * input is lost in a crash, its caller can submit it again.
   */
  storedTurnCount: number;
  /** Value of the conversation's `unrecordedUsage` when the session state was last stored. */
  storedUsage: Usage | undefined;
  /** True if the host requested that the session state is stored at an additional point. */
  isBoundarySuggested: boolean;
  /** True if the last response has tool calls without results, and an earlier process may have started these calls. */
  hasInheritedCalls: boolean;
  /** System prompt, once built. Not set if building was aborted. */
  systemPrompt: string | undefined;
  /**
   * True if the conversation was last found to exceed the warning threshold of the context window, so that exceeding it
   * is reported only once. See loop: §5.5.
   */
  isContextHigh: boolean;
  /** Loop pattern that the model was warned about. See loop: §2.10, decision 8. */
  warnedPattern: string | undefined;
  /** Messages of emitted warnings, so that no warning is repeated. */
  readonly warnings: Set<string>;
  /** Session state as last stored. `undefined` if the session has neither a parent nor subagents. */
  storedState: StoredState | undefined;
}
