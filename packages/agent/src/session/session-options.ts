import type {
  Client,
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

/** Calls something that others have written, in surroundings of the caller's, and gives what it gives. */
export type CallExtension = <T>(act: () => T) => T;

/** What a session is made of. loop: §2.1. */
export interface SessionOptions {
  /** Tools and prompt for the model. */
  readonly profile: ProviderProfile;
  /** Where tools run. */
  readonly environment: ExecutionEnvironment;
  /** Reaches the model. The loop retries turns itself (`turnRetry`); a client that retries calls is not needed. */
  readonly client: Client;
  /**
   * How turns are retried whose model call failed: also where a part of the response had arrived, which is discarded.
   * Default: `RETRY_DEFAULTS.turn`, ten minutes in total. A failure that the client has retried to its end is not
   * retried unless `retriesExhausted` is set. `false` switches it off.
   */
  readonly turnRetry?: RetryOptions | false | undefined;
  /**
   * Models that are called, in order, when the model fails in a way that another one may not: after two retries of the
   * turn, at once where retrying is useless or switched off. Whatever had arrived of the response is discarded. The
   * session stays with a fallback that responds; after the last one the first is called again, within the total wait of
   * `turnRetry`. Default: none.
   */
  readonly fallbackModels?: readonly FallbackModel[] | undefined;
  /** Deviations from the default limits and settings. loop: §2.2. */
  readonly config?: Partial<SessionConfig> | undefined;
  /** The user's own instructions: the last layer of the system prompt. loop: §6.1. */
  readonly instructions?: string | undefined;
  /** An earlier conversation to go on from; repaired where it was cut. */
  readonly history?: readonly Turn[] | undefined;
  /** Tools beside the profile's; one of the same name replaces the profile's. loop: §3.7. */
  readonly tools?: readonly RegisteredTool[] | undefined;
  /** Names of the tools that may be used; all of them when unset, none when empty. */
  readonly allowedTools?: readonly string[] | undefined;
  /** What the names of its subagents begin with; `agent` by default. loop: §7. */
  readonly agentId?: string | undefined;
  /** The time in milliseconds since 1970; `Date.now` by default. */
  readonly now?: (() => number) | undefined;
  /** Makes the session's id; a random UUID by default. */
  readonly createId?: (() => string) | undefined;
  /** Aborts the session when it fires. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Decides whether a text-only answer is a question to the user, which makes the session wait for the answer.
   * Without it no answer is taken for one. loop: §2.3, decision 13.
   */
  readonly isQuestion?: ((answer: string) => boolean) | undefined;
  /**
   * Decides about each valid call before it runs; all of them run without it. `createApprovalPolicy` makes one of rules.
   * loop: §8.
   */
  readonly approve?: ApproveToolCall | undefined;
  /** Looks at model and tool calls, and may change them; `composeHooks` makes one set of several. */
  readonly hooks?: SessionHooks | undefined;
  /** Calls tools, hooks and compaction; an engine carries its host to them so. They are just called without it. */
  readonly callExtension?: CallExtension | undefined;
  /** What the host says about the run; hooks see it. */
  readonly attributes?: Readonly<Record<string, string>> | undefined;
  /**
   * Asks the user and waits for the answer. With it the model is offered the tool `ask_user`, unless `allowedTools` leave
   * it out, and rules that ask have somebody to ask. loop: §2.3, decision 13.
   */
  readonly askUser?: AskUser | undefined;
  /**
   * Takes the usage of each answer before the loop goes on; a rejection ends the session with that error. An abort waits
   * for it as well, as the answer was paid for: whatever it asks must come to an end by itself.
   */
  readonly reportUsage?: ((usage: Usage) => Promise<void>) | undefined;
  /**
   * Keeps outputs of tools that are too large for an event; without it events carry them whole, those of commands up to
   * 16 Mi characters of each stream. architecture: decision 10.
   */
  readonly outputSpool?: OutputSpool | undefined;
  /**
   * Keeps the state of the session: called at every safe boundary, twice per tool round, and awaited. A rejection ends
   * the session with that error before anything else happens; no tool starts before its intent is kept. An abort waits
   * for it as well, as half a state is of no use: whatever it writes to must come to an end by itself.
   * architecture: decision 22.
   */
  readonly onBoundary?: ((boundary: SessionBoundary) => Promise<void>) | undefined;
  /**
   * Awaited before each call that cannot be repeated: whoever writes events down learns in time that the session is
   * another's by now, and aborts it. promise D6.
   */
  readonly beforeEffect?: (() => Promise<void>) | undefined;
  /**
   * A boundary of an earlier session, which `resume` goes on from as if there had been no break; takes the place of
   * `history`. Read it with `parseBoundary` where it comes from outside.
   */
  readonly resumeFrom?: SessionBoundary | undefined;
  /**
   * System prompt that the conversation in `history` began with. It is used again unless something else than its
   * environment block has changed, so that the provider's prompt cache stays valid. loop: §6.3.
   */
  readonly earlierPrompt?: string | undefined;
  /**
   * Summarises the conversation for the model when it grows too long: before a model call where it says that it is
   * time, and once where a call was refused as too long. Nothing is ever summarised without it; the history stays
   * whole with it. loop: §5.5, §8 compaction.
   */
  readonly compaction?: CompactionStrategy | undefined;
  /**
   * A saved session to go on with, in the place of `history` and `resumeFrom`: same id, turns, usage and waiting
   * messages. `Session.load` reads one that comes from outside.
   */
  readonly snapshot?: SessionSnapshot | undefined;
  /**
   * Instructions for special tasks: the system prompt lists them by name and description, and the tool `skill` returns
   * one when the model asks for it. loop: §8.
   */
  readonly skills?: readonly Skill[] | undefined;
  /** Templates that an input calls by `/name arguments`; any other input with a slash is passed on. loop: §8. */
  readonly commands?: readonly CustomCommand[] | undefined;
  /**
   * Further tools that come and go while the session runs, as far as `allowedTools` name them; none takes the place of
   * another tool. loop: §3.7, §8.
   */
  readonly toolSource?: ToolSource | undefined;
  /** What the host has to say about how the session was made: warnings right behind its start. */
  readonly notices?: readonly NoticePayload[] | undefined;
}
