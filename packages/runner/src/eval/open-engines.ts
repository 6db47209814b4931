import { EngineError, toEngineError } from "@switchyard/contracts";
import type { EngineChoice } from "./config/eval-suite.ts";
import type { NamedEvalEngine, OpenEvalEngine } from "./trial/eval-engine.ts";

/** The engines of an evaluation; those that can be disposed of are, with it. */
export interface OpenedEngines extends AsyncDisposable {
  /** In the order of the file. */
  readonly opened: readonly NamedEvalEngine[];
}

/**
 * Opens all engines before anything runs. Rejects with the error of the one that cannot be opened, or, where several
 * cannot or two have one name, with `config.invalid_eval`.
 */
export async function openEngines(choices: readonly EngineChoice[], open: OpenEvalEngine): Promise<OpenedEngines> {
  const opened: NamedEvalEngine[] = [];
  const errors: { field: string; error: EngineError }[] = [];
  for (const { id, spec, field } of choices) {
    try {
      const engine = await open(spec);
      const name = id ?? engine.name;
      const isTaken = opened.some((other) => other.id === name);
      opened.push({ ...engine, id: name });
      if (isTaken)
        throw new EngineError("config.invalid", { field, problem: `its name ${name} is taken; set its id.` });
    } catch (error) {
      errors.push({ field, error: toEngineError(error) });
    }
  }
  if (errors.length === 0) return { opened, [Symbol.asyncDispose]: () => close(opened) };
  await close(opened);
  const [first] = errors;
  if (errors.length === 1 && first !== undefined) throw first.error;
  const problems = errors.map(({ field, error }) => `${field}: ${error.message} ${error.remedy}`).join("\n");
  throw new EngineError("config.invalid_eval", { path: "as a whole", problems }, { cause: first?.error });
}

async function close(engines: readonly NamedEvalEngine[]): Promise<void> {
  // Their work is done and kept; a connection that does not close harms nobody.
  await Promise.allSettled(
    engines.map(({ engine }) => (isDisposable(engine) ? engine[Symbol.asyncDispose]() : undefined)),
  );
}

function isDisposable(engine: object): engine is AsyncDisposable {
  return typeof Reflect.get(engine, Symbol.asyncDispose) === "function";
}
