import type { Engine, SessionInput } from "@switchyard/contracts";
import type { Eventually } from "../contract/contract-case.ts";

/** An engine and what one of its runs is given. */
export interface EngineSituation {
  /** The engine. */
  readonly engine: Engine;
  /** Dependencies of one run, made anew for each. */
  readonly dependencies?: (() => Eventually<Iterable<readonly [unknown, unknown]>>) | undefined;
  /** The task; a sentence by default. */
  readonly input?: SessionInput | undefined;
}

/**
 * An engine as the cases get it. The runs of the subject itself complete, and use what the engine claims; the
 * situations are for what a run that completes cannot show, and cases without theirs are left out.
 */
export interface EngineSubject extends EngineSituation {
  /** A run in which the engine waits until it is stopped, such as for a model that never answers. */
  readonly waiting?: EngineSituation | undefined;
  /** A run that fails. */
  readonly failing?: EngineSituation | undefined;
  /** A run in which the engine asks the user and cannot do without an answer. */
  readonly asking?: EngineSituation | undefined;
  /** Whether two runs with the same task end with the same result; true by default. */
  readonly isPredictable?: boolean | undefined;
  /** Gives everything back. */
  readonly dispose?: (() => void | Promise<void>) | undefined;
}

/** Makes an engine, alone or with what its runs need. */
export type EngineFactory = () => Eventually<Engine | EngineSubject>;

/** The subject of a factory. */
export async function openEngineSubject(factory: EngineFactory): Promise<EngineSubject> {
  const made = await factory();
  return "engine" in made ? made : { engine: made };
}
