import { EngineError, errorText, toEngineError } from "@switchyard/contracts";
import type { EvalSuite } from "../suite/eval-suite.ts";
import type { NamedEvalEngine, OpenEvalEngine } from "../trial/eval-engine.ts";

/** Opened engines of an evaluation. Disposing the object disposes every engine that is disposable. */
export interface OpenedEngines extends AsyncDisposable {
  /** Engines in the order of the suite. */
  readonly opened: readonly NamedEvalEngine[];
}

/**
 * Opens all engines before the first trial. If one engine fails, rejects with its error. Rejects with
 * `config.invalid_eval` if several fail or an engine block is invalid.
 */
export async function openEngines(
  { name: suite, engines: choices }: Pick<EvalSuite, "name" | "engines">,
  open: OpenEvalEngine,
): Promise<OpenedEngines> {
  const opened: NamedEvalEngine[] = [];
  const errors: { field: string; error: EngineError }[] = [];
  for (const { id, spec, field, version } of choices) {
    try {
      const engine = await open(spec);
      const name = id ?? engine.name;
      const isTaken = opened.some((other) => other.id === name);
      opened.push({ ...engine, id: name, version, equip: (equipment) => open(spec, equipment) });
      if (isTaken)
        throw new EngineError("config.invalid", { field, problem: `its name ${name} is taken; set its id.` });
    } catch (error) {
      errors.push({ field, error: toEngineError(error) });
    }
  }
  if (errors.length === 0) return { opened, [Symbol.asyncDispose]: () => closeEngines(opened) };
  await closeEngines(opened);
  const [first] = errors;
  // Most errors name the engine and are thrown unchanged. The error for an invalid engine block names no engine.
  if (errors.length === 1 && first !== undefined && first.error.code !== "config.invalid_engine") throw first.error;
  const problems = errors.flatMap(({ field, error }) => problemsOf(error).map((problem) => `${field}: ${problem}`));
  throw new EngineError("config.invalid_eval", { path: suite, problems: problems.join("\n") }, { cause: first?.error });
}

function problemsOf(error: EngineError): string[] {
  const { problems } = error.details;
  if (error.code === "config.invalid_engine" && typeof problems === "string") return problems.split("\n");
  return [errorText(error)];
}

/** Disposes engines. Failures are ignored. */
export async function closeEngines(engines: readonly Pick<NamedEvalEngine, "engine">[]): Promise<void> {
  // All results are stored by now, so a failure to close an engine is ignored.
  await Promise.allSettled(
    engines.map(({ engine }) => (isDisposable(engine) ? engine[Symbol.asyncDispose]() : undefined)),
  );
}

function isDisposable(engine: object): engine is AsyncDisposable {
  return typeof Reflect.get(engine, Symbol.asyncDispose) === "function";
}
