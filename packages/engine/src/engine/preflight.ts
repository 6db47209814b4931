import { type Engine, EngineError, type Run } from "@switchyard/contracts";
import { assertResumable } from "./assert-resumable.ts";
import { capabilitiesOf } from "./capabilities-of.ts";
import { asResumer } from "./unwrap-engine.ts";

/** Options for `preflight`. */
export interface PreflightOptions {
  /** Name of the engine, for messages. */
  readonly name: string;
  /** True if no user can answer questions. */
  readonly headless: boolean;
}

/**
 * Throws if a run cannot start. `engine.missing_dependency`: a required dependency is missing. `engine.needs_user`: the
 * engine may ask questions, and no user can answer. `checkpoint.*`: the engine cannot resume. See engine: Capabilities.
 */
export function preflight(engine: Engine, run: Run, { name, headless }: PreflightOptions): void {
  const { requiredDependencies = [], emitsUserPrompt = false, supportsResume = false } = capabilitiesOf(engine);
  const missing = requiredDependencies.find((dependency) => !run.deps.has(dependency));
  if (missing !== undefined) throw new EngineError("engine.missing_dependency", { engine: name, dependency: missing });
  if (emitsUserPrompt && headless) throw new EngineError("engine.needs_user", { engine: name });
  const resumer = asResumer(engine);
  assertResumable(run, { name, supportsResume, canResume: (checkpoint) => resumer?.canResume(checkpoint) });
}
