import type { AskModel } from "../model/ask-model.ts";
import { keyOfModel } from "../model/open-eval-model.ts";
import type { EngineChoice, EvalSuite, RubricAssertion } from "../suite/eval-suite.ts";
import { rubricsOf } from "../suite/rubrics-of.ts";
import type { NamedEvalEngine, OpenEvalEngine } from "../trial/eval-engine.ts";
import { closeEngines, openEngines } from "./open-engines.ts";

/** Opened engines that judge. Disposing the object disposes every engine that is disposable. */
export interface OpenedJudgeEngines extends AsyncDisposable {
  /** Engines by `keyOfEngine`. */
  readonly byKey: ReadonlyMap<string, NamedEvalEngine>;
}

/**
 * Opens the engines that judge, except those that are not needed because their models can be called directly. Rejects
 * like `openEngines`.
 */
export async function openJudgeEngines(
  { name, cases }: Pick<EvalSuite, "name" | "cases">,
  judges: ReadonlyMap<string, AskModel>,
  open: OpenEvalEngine,
): Promise<OpenedJudgeEngines> {
  const byKey = new Map<string, NamedEvalEngine>();
  const close = (): Promise<void> => closeEngines([...byKey.values()]);
  for (const rubric of rubricsOf(cases)) {
    const { engine, models } = rubric.panel;
    const isNeeded = isJudgedByEngine(rubric) || models.some((choice) => !judges.has(keyOfModel(choice)));
    if (engine === undefined || !isNeeded || byKey.has(keyOfEngine(engine))) continue;
    try {
      const { opened } = await openEngines({ name, engines: [engine] }, open);
      for (const one of opened) byKey.set(keyOfEngine(engine), one);
    } catch (error) {
      await close();
      throw error;
    }
  }
  return { byKey, [Symbol.asyncDispose]: close };
}

/**
 * Returns whether an engine judges a rubric even if the models can be called directly. This is the case if the judge
 * has skills, because only engines can read skills. It is also the case if the panel names an engine without
 * `mayUseEngine`. With `mayUseEngine`, the engine judges only for models that cannot be called directly.
 */
export function isJudgedByEngine({ panel, skills = [] }: RubricAssertion): boolean {
  return skills.length > 0 || (panel.engine !== undefined && panel.mayUseEngine !== true);
}

/** Returns a key that identifies an engine that judges. */
export function keyOfEngine({ spec }: EngineChoice): string {
  return JSON.stringify(spec);
}
