import type { Judges } from "../judge/judge-rubric.ts";
import { createEngineAsker } from "../model/engine-asker.ts";
import { keyOfModel } from "../model/open-eval-model.ts";
import { isJudgedByEngine, keyOfEngine } from "../run/open-judge-engines.ts";
import type { AttemptParts } from "./attempt.ts";

/** Returns the function that asks the judges of a trial: models directly, or an engine in a separate session. */
export function judgeAsker(parts: AttemptParts): Judges["askJudge"] {
  const { context, trial } = parts;
  return (choice, rubric) => {
    const direct = isJudgedByEngine(rubric) ? undefined : context.judges.get(keyOfModel(choice));
    if (direct !== undefined) return direct;
    const { skills = [], panel } = rubric;
    const own = panel.engine === undefined ? undefined : context.judgeEngines.get(keyOfEngine(panel.engine));
    return createEngineAsker(parts, { engine: own ?? trial.engine, model: choice.model, skills });
  };
}
