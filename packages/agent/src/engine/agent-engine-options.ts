import type { Client, NoticePayload, RegisteredTool, RetryOptions } from "@switchyard/contracts";
import type { ApprovalPolicy } from "../approval/approval-policy.ts";
import type { ApproveToolCall } from "../approval/approval-request.ts";
import type { CompactionStrategy } from "../compaction/compaction-strategy.ts";
import type { SessionHooks } from "../hooks/session-hooks.ts";
import type { ProviderProfile } from "../profile/provider-profile.ts";
import type { SessionConfig } from "../session/session-config.ts";
import type { CustomCommand, Skill } from "../skills/skill.ts";
import type { FallbackModel } from "../turn-retry/model-fallbacks.ts";

/** Options for `createAgentEngine`. */
export interface AgentEngineOptions {
  /** Client that calls the model. */
  readonly client: Client;
  /**
   * Retries of turns whose model call failed. Default: ten minutes in total (`RETRY_DEFAULTS.turn`). The input's
   * `retry_for_seconds` overrides the total.
   */
  readonly turnRetry?: RetryOptions | false | undefined;
  /** Fallback models, in order: see `SessionOptions.fallbackModels`. Default: none. */
  readonly fallbackModels?: readonly FallbackModel[] | undefined;
  /** Model family profile: tools and prompt for the model. */
  readonly profile: ProviderProfile;
  /** Overrides of the default limits and settings. */
  readonly config?: Partial<SessionConfig> | undefined;
  /** The user's instructions, the last layer of the system prompt. */
  readonly instructions?: string | undefined;
  /** Tools in addition to the profile's. */
  readonly tools?: readonly RegisteredTool[] | undefined;
  /**
   * Approves or denies each valid call before it runs: a policy, whose questions are sent to the host, or a function.
   * Default: all calls run. See loop: §8.
   */
  readonly approval?: ApprovalPolicy | ApproveToolCall | undefined;
  /** Hooks that observe and may change model and tool calls. They receive the attributes of the run. */
  readonly hooks?: SessionHooks | undefined;
  /** Whether the agent has the tool `ask_user`, which asks the host. Default: `false`. See loop: §2.3. */
  readonly askUser?: boolean | undefined;
  /** Instructions for special tasks, which the model reads on demand. */
  readonly skills?: readonly Skill[] | undefined;
  /** Templates that an input invokes with `/name arguments`. */
  readonly commands?: readonly CustomCommand[] | undefined;
  /** Notices of the host about the agent's configuration, emitted as warnings at the start of each session. */
  readonly notices?: readonly NoticePayload[] | undefined;
  /** Summarises conversations that grow too long. Default: none. */
  readonly compaction?: CompactionStrategy | undefined;
  /**
   * Version that the host assigns to the engine's definition. If set, a run is only resumed by an engine of the same
   * version and model family. If unset, an engine of the same model family resumes it. See durability promise D11.
   */
  readonly version?: string | undefined;
  /** Name in messages and results. Default: `agent`. */
  readonly name?: string | undefined;
  /** Returns the time in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Creates ids. Default: random UUIDs. */
  readonly createId?: (() => string) | undefined;
}
