import type { Client, ExecutionEnvironment, Usage } from "@switchyard/contracts";
import type { ToolRegistry } from "../pipeline/tool-registry.ts";
import type { ProviderProfile } from "../profile/provider-profile.ts";
import type { Conversation } from "./conversation.ts";
import type { EventEmitter } from "./event-emitter.ts";
import type { SessionConfig } from "./session-config.ts";
import type { Emit } from "./session-event.ts";
import type { SessionState } from "./session-state.ts";

/** What the steps of the loop share: the inside of a session. loop: Session, §2.1. */
export interface SessionCore {
  readonly id: string;
  readonly profile: ProviderProfile;
  readonly environment: ExecutionEnvironment;
  readonly client: Client;
  readonly config: SessionConfig;
  readonly registry: ToolRegistry;
  readonly conversation: Conversation;
  readonly events: EventEmitter;
  readonly emit: Emit;
  readonly now: () => number;
  /** Fires when the session is aborted. */
  readonly signal: AbortSignal;
  readonly steering: string[];
  readonly followUps: string[];
  readonly isQuestion: (answer: string) => boolean;
  readonly reportUsage: (usage: Usage) => Promise<void>;
  /** The system prompt, built once. loop: §6.3. */
  readonly systemPrompt: () => Promise<string>;
  state: SessionState;
  /** Whether the context is known to be over the threshold, so that each crossing is told once. loop: §5.5. */
  isContextHigh: boolean;
  /** The pattern of calls the model was told about. loop: §2.10, decision 8. */
  warnedPattern: string | undefined;
}
