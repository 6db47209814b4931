import type { Engine, SessionInput } from "@switchyard/contracts";
import type { Eventually } from "../contract/contract-case.ts";

/** An engine and the inputs of one run. */
export interface EngineSituation {
  /** Engine under test. */
  readonly engine: Engine;
  /** Creates the dependencies of one run. */
  readonly dependencies?: (() => Eventually<Iterable<readonly [unknown, unknown]>>) | undefined;
  /** Task. Default: one sentence. */
  readonly input?: SessionInput | undefined;
}

/**
 * An engine under test. Its ordinary runs complete, and use all capabilities that the engine declares. The optional
 * situations produce behaviour that such a run cannot show, such as waiting or failing. Conformance cases that need a
 * missing situation are skipped.
 */
export interface EngineSubject extends EngineSituation {
  /** A situation in which the engine waits until it is stopped, for example for a model that never responds. */
  readonly waiting?: EngineSituation | undefined;
  /** A situation in which the engine's run fails. */
  readonly failing?: EngineSituation | undefined;
  /** A situation in which the engine asks the user and needs the answer. */
  readonly asking?: EngineSituation | undefined;
  /** True if two runs with the same task have the same result. Default: true. */
  readonly isPredictable?: boolean | undefined;
  /** Releases all resources. */
  readonly dispose?: (() => void | Promise<void>) | undefined;
}

/** Returns the engine under test, or an object with the engine and the inputs for its runs. */
export type EngineFactory = () => Eventually<Engine | EngineSubject>;

/** Prepares the engine under test, which a factory creates. */
export async function openEngineSubject(factory: EngineFactory): Promise<EngineSubject> {
  const created = await factory();
  return "engine" in created ? created : { engine: created };
}
