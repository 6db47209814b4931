import type {
  Client,
  EffectJournal,
  ExecutionEnvironment,
  NoticePayload,
  OutputSpool,
  RegisteredTool,
  RetryOptions,
  ToolSource,
  Usage,
} from "@switchyard/contracts";
import type { ApproveToolCall, AskUser } from "../approval/approval-request.ts";
import type { SessionBoundary } from "../checkpoint/session-boundary.ts";
import type { CompactionStrategy } from "../compaction/compaction-strategy.ts";
import type { Turn } from "../conversation/turn.ts";
import type { SessionHooks } from "../hooks/session-hooks.ts";
import type { ProviderProfile } from "../profile/provider-profile.ts";
import type { CustomCommand, Skill } from "../skills/skill.ts";
import type { SessionSnapshot } from "../snapshot/session-snapshot.ts";
import type { FallbackModel } from "../turn-retry/model-fallbacks.ts";
import type { SessionConfig } from "./session-config.ts";

/**
 * Calls a function within a context that the host provides, and returns its result. The function `act` runs third-party
 * code, such as a tool or hook.
 */
export type CallExtension = <T>(act: () => T) => T;

/** Options for `Session`. See loop: §2.1. */
export interface SessionOptions {
  /** Model family profile: tools and prompt for the model. */
  readonly profile: ProviderProfile;
  /** Environment in which tools run. */
  readonly environment: ExecutionEnvironment;
  /** Client that calls the model. The loop retries turns itself (`turnRetry`), so the client need not retry calls. */
  readonly client: Client;
  /**
   * How often and how long a turn is retried whose model call failed. If part of the response had arrived, that part is
   * discarded. Default: `RETRY_DEFAULTS.turn`, ten minutes in total. A failure that the client has retried to its limit
   * is not retried unless `retriesExhausted` is set. `false` disables retries.
   */
  readonly turnRetry?: RetryOptions | false | undefined;
  /**
   * Fallback models, in order. A fallback is called after two retries of the turn, or immediately if retrying is
   * useless or disabled. Partial responses are discarded. The session stays with a fallback that responds. After the
   * last fallback, the first model is called again. All waits together are limited by `turnRetry`. Default: none.
   */
  readonly fallbackModels?: readonly FallbackModel[] | undefined;
  /** Overrides of the default limits and settings. See loop: §2.2. */
  readonly config?: Partial<SessionConfig> | undefined;
  /** The user's instructions, the last layer of the system prompt. See loop: §6.1. */
  readonly instructions?: string | undefined;
  /** Earlier conversation to continue. A conversation that was interrupted is repaired first. */
  readonly history?: readonly Turn[] | undefined;
  /** Tools in addition to the profile's tools. A tool replaces the profile's tool of the same name. See loop: §3.7. */
  readonly tools?: readonly RegisteredTool[] | undefined;
  /** Names of allowed tools. `undefined`: all; empty: none. */
  readonly allowedTools?: readonly string[] | undefined;
  /** Prefix of subagent ids. Default: `agent`. See loop: §7. */
  readonly agentId?: string | undefined;
  /** Returns the time in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Creates the session id. Default: a random UUID. */
  readonly createId?: (() => string) | undefined;
  /** Signal that aborts the session. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Returns whether a response without tool calls is a question to the user, which makes the session wait for a reply.
   * Default: never. See loop: §2.3, decision 13.
   */
  readonly isQuestion?: ((answer: string) => boolean) | undefined;
  /**
   * Approves or denies each valid call before it runs, for example `createApprovalPolicy`. Default: all calls run. See
   * loop: §8.
   */
  readonly approve?: ApproveToolCall | undefined;
  /** Hooks that observe and may change model and tool calls. `composeHooks` combines several. */
  readonly hooks?: SessionHooks | undefined;
  /**
   * Wraps calls of tools, hooks and compaction strategies, for example to provide the engine's host as context.
   * Default: the calls are not wrapped.
   */
  readonly callExtension?: CallExtension | undefined;
  /** Attributes of the run, which hooks receive. */
  readonly attributes?: Readonly<Record<string, string>> | undefined;
  /**
   * Asks the user and waits for the reply. If set, the model has the tool `ask_user` unless `allowedTools` excludes it,
   * and approval rules can ask. See loop: §2.3, decision 13.
   */
  readonly askUser?: AskUser | undefined;
  /**
   * Called with the usage of each response before the loop continues. A rejection ends the session with the same error.
   * An aborted session waits for this function too, because the response is already billed. The function must therefore
   * complete without depending on the abort signal.
   */
  readonly reportUsage?: ((usage: Usage) => Promise<void>) | undefined;
  /**
   * Stores tool outputs that are too large for an event. Without this storage, events contain the complete outputs, for
   * commands up to 16 Mi characters per stream. See architecture: decision 10.
   */
  readonly outputSpool?: OutputSpool | undefined;
  /**
   * Stores the session state. Called and awaited at every checkpoint boundary: twice per tool round, before and after
   * its calls, and when the host asks for a checkpoint or the session stops. A rejection ends the session with the same error before anything else happens. No tool starts before the
   * intent to call it is stored. An aborted session waits for this function too, because partial state is useless. The
   * function must therefore complete without depending on the abort signal. See architecture: decision 22.
   */
  readonly onBoundary?: ((boundary: SessionBoundary) => Promise<void>) | undefined;
  /**
   * Awaited before each tool call that cannot be repeated safely. If another process has taken over the session, this
   * process can abort in time. See durability promise D6.
   */
  readonly beforeEffect?: (() => Promise<void>) | undefined;
  /**
   * Journal that records which tool calls were started and ended. Required if the host executes the session step by
   * step. With a journal, a resumed session starts `unsafe` calls that no process has started, and reuses recorded
   * results. Default: none; a resumed session then reports `unknown_outcome` for every `unsafe` call without a result.
   */
  readonly effectJournal?: EffectJournal | undefined;
  /**
   * Stored state of an earlier session, from which `resume` continues. Replaces `history`. Parse untrusted data with
   * `parseBoundary`.
   */
  readonly resumeFrom?: SessionBoundary | undefined;
  /**
   * System prompt of the conversation in `history`. The prompt is reused unless parts other than its environment block
   * have changed, so that the provider's prompt cache stays valid. See loop: §6.3.
   */
  readonly earlierPrompt?: string | undefined;
  /**
   * Compaction of the conversation: before a model call if due, and once after a call was rejected as too long. The
   * history itself is unchanged. Default: none. See loop: §5.5, §8 compaction.
   */
  readonly compaction?: CompactionStrategy | undefined;
  /**
   * Saved session to continue, instead of `history` and `resumeFrom`: same id, turns, usage and queued messages. Load
   * untrusted snapshots with `Session.load`.
   */
  readonly snapshot?: SessionSnapshot | undefined;
  /**
   * Instructions for special tasks. The system prompt lists their names and descriptions, and the tool `skill` returns
   * the instructions of one skill. See loop: §8.
   */
  readonly skills?: readonly Skill[] | undefined;
  /**
   * Templates that an input invokes with `/name arguments`. Other inputs with a slash are passed on unchanged. See
   * loop: §8.
   */
  readonly commands?: readonly CustomCommand[] | undefined;
  /**
   * Source of further tools that may change during the session, restricted by `allowedTools`. These tools never replace
   * other tools. See loop: §3.7, §8.
   */
  readonly toolSource?: ToolSource | undefined;
  /** Notices of the host about the session's configuration, emitted as warnings after the session has started. */
  readonly notices?: readonly NoticePayload[] | undefined;
}
