import { type Engine, EngineError, type Run } from "@switchyard/contracts";
import { assertResumable } from "./assert-resumable.ts";
import { capabilitiesOf } from "./capabilities-of.ts";
import { asResumer } from "./unwrapping.ts";

/** What the host knows about the run it is going to start. */
export interface PreflightOptions {
  /** Name of the engine, for messages. */
  readonly name: string;
  /** Whether nobody can answer a question. */
  readonly headless: boolean;
}

/**
 * Refuses a run before it starts: when a dependency is missing (`engine.missing_dependency`), when the engine may ask
 * and nobody can answer (`engine.needs_user`), when it cannot go on from the checkpoint (`checkpoint.*`).
 * engine: Capabilities.
 */
export function preflight(engine: Engine, run: Run, { name, headless }: PreflightOptions): void {
  const { requiredDependencies = [], emitsUserPrompt = false, supportsResume = false } = capabilitiesOf(engine);
  const missing = requiredDependencies.find((dependency) => !run.deps.has(dependency));
  if (missing !== undefined) throw new EngineError("engine.missing_dependency", { engine: name, dependency: missing });
  if (emitsUserPrompt && headless) throw new EngineError("engine.needs_user", { engine: name });
  const resumer = asResumer(engine);
  assertResumable(run, { name, supportsResume, canResume: (checkpoint) => resumer?.canResume(checkpoint) });
}
