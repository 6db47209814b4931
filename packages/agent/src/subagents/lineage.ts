import type { SessionEvent } from "../events/session-event.ts";
import type { SessionCore } from "../session/session-core.ts";
import type { SessionOptions } from "../session/session-options.ts";
import type { FallbackModel } from "../turn-retry/model-fallbacks.ts";

/** Data that connects a subagent's session to its parent session. */
export interface Lineage {
  /** Id of the subagent. */
  readonly agentId: string;
  /** Nesting depth of the subagent. The root session has depth 0. */
  readonly depth: number;
  /** Returns the core (internal state) of the root session. */
  readonly root: () => SessionCore;
  /** Called with the core (internal state) of the subagent's session once the core is created. */
  readonly attach: (core: SessionCore) => void;
  /** Called with each event of the subagent and its descendants. */
  readonly relay: (event: SessionEvent) => void;
  /** Stores the state of the root session and all subagents. */
  readonly save: () => Promise<void>;
}

/** Options for the session of a subagent. */
export interface ChildSessionOptions extends SessionOptions {
  readonly lineage: Lineage;
  /** Model that the parent currently calls. `undefined` if the subagent was spawned with another model. */
  readonly parentModel?: FallbackModel | undefined;
}

/** Returns the connection of a session to its parent. `undefined` for a root session. */
export function lineageOf(options: SessionOptions): Lineage | undefined {
  return isChild(options) ? options.lineage : undefined;
}

/**
 * Returns the model that the parent session currently calls. `undefined` for a root session, and for a subagent that
 * was spawned with another model.
 */
export function parentModelOf(options: SessionOptions): FallbackModel | undefined {
  return isChild(options) ? options.parentModel : undefined;
}

function isChild(options: SessionOptions): options is ChildSessionOptions {
  return "lineage" in options && options.lineage !== undefined;
}
