import type { SessionEvent } from "../events/session-event.ts";
import type { SessionCore } from "../session/session-core.ts";
import type { SessionOptions } from "../session/session-options.ts";
import type { FallbackModel } from "../turn-retry/model-fallbacks.ts";

/** What ties a session to the one that spawned it. */
export interface Lineage {
  /** Id of the child. */
  readonly agentId: string;
  /** Levels of parents above it. */
  readonly depth: number;
  /** The session at the root of the family. */
  readonly root: () => SessionCore;
  /** Takes the inside of the child as soon as there is one. */
  readonly attach: (core: SessionCore) => void;
  /** Takes each event of the child and of its own children. */
  readonly relay: (event: SessionEvent) => void;
  /** Has the state of the whole family kept. */
  readonly save: () => Promise<void>;
}

/** What a child session is made of. */
export interface ChildSessionOptions extends SessionOptions {
  readonly lineage: Lineage;
  /** Model that the parent calls; `undefined` if the child has one of its own. */
  readonly parentModel?: FallbackModel | undefined;
}

/** What ties a session to a parent, if it has one. */
export function lineageOf(options: SessionOptions): Lineage | undefined {
  return isChild(options) ? options.lineage : undefined;
}

/** The model that the parent of a session calls, if it has the same ones. */
export function parentModelOf(options: SessionOptions): FallbackModel | undefined {
  return isChild(options) ? options.parentModel : undefined;
}

function isChild(options: SessionOptions): options is ChildSessionOptions {
  return "lineage" in options && options.lineage !== undefined;
}
