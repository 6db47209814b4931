import type { Client, NoticePayload, RegisteredTool, RetryOptions } from "@switchyard/contracts";
import type { ApprovalPolicy } from "../approval/approval-policy.ts";
import type { ApproveToolCall } from "../approval/approval-request.ts";
import type { CompactionStrategy } from "../compaction/compaction-strategy.ts";
import type { SessionHooks } from "../hooks/session-hooks.ts";
import type { ProviderProfile } from "../profile/provider-profile.ts";
import type { SessionConfig } from "../session/session-config.ts";
import type { CustomCommand, Skill } from "../skills/skill.ts";
import type { FallbackModel } from "../turn-retry/model-fallbacks.ts";

/** What an engine round the agent loop is made of; the rest comes with each run. */
export interface AgentEngineOptions {
  /** Reaches the model. */
  readonly client: Client;
  /**
   * How turns are retried whose model call failed; ten minutes in total by default (`RETRY_DEFAULTS.turn`). The input's
   * `retry_for_seconds` replaces the total.
   */
  readonly turnRetry?: RetryOptions | false | undefined;
  /** Models that are called, in order, when the model fails: see `SessionOptions.fallbackModels`. Default: none. */
  readonly fallbackModels?: readonly FallbackModel[] | undefined;
  /** Tools and prompt for the model. */
  readonly profile: ProviderProfile;
  /** Deviations from the default limits and settings. */
  readonly config?: Partial<SessionConfig> | undefined;
  /** The user's own instructions: the last layer of the system prompt. */
  readonly instructions?: string | undefined;
  /** Tools beside the profile's. */
  readonly tools?: readonly RegisteredTool[] | undefined;
  /**
   * Decides about each valid call before it runs: rules, each run with a policy of its own whose questions the host is
   * asked, or a function. All calls run without it. loop: §8.
   */
  readonly approval?: ApprovalPolicy | ApproveToolCall | undefined;
  /** Looks at model and tool calls, and may change them; sees the attributes of the run. */
  readonly hooks?: SessionHooks | undefined;
  /** Whether the agent is offered the tool `ask_user`, by which it asks the host; not by default. loop: §2.3. */
  readonly askUser?: boolean | undefined;
  /** Instructions for special tasks, which the model reads when it needs them. */
  readonly skills?: readonly Skill[] | undefined;
  /** Templates that an input calls by `/name arguments`. */
  readonly commands?: readonly CustomCommand[] | undefined;
  /** What the host has to say about how the agent was made: warnings at the start of each session. */
  readonly notices?: readonly NoticePayload[] | undefined;
  /** Summarises conversations that grow too long; none is summarised without it. */
  readonly compaction?: CompactionStrategy | undefined;
  /**
   * The host's own version of what it made the engine of. A run is only resumed by an engine of the same version and
   * model family; without it, by any engine of the family. promise D11.
   */
  readonly version?: string | undefined;
  /** Name in messages and results; `agent` by default. */
  readonly name?: string | undefined;
  /** The time in milliseconds since 1970; `Date.now` by default. */
  readonly now?: (() => number) | undefined;
  /** Makes ids; random UUIDs by default. */
  readonly createId?: (() => string) | undefined;
}
