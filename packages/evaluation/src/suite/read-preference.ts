import type { JudgePanel, PreferenceQuestion } from "./eval-suite.ts";
import { type Field, fail, isAbsent, readMap, readText, required } from "./field.ts";
import { readPanel } from "./read-panel.ts";

/** Reads `preference`: a criterion by which judges compare the results of engines. */
export function readPreference(field: Field, inherited: JudgePanel | undefined): PreferenceQuestion | undefined {
  if (isAbsent(field)) return undefined;
  const fields = readMap(field, ["criterion", "judge"]);
  const criterion = fields === undefined ? undefined : required(fields("criterion"), readText);
  if (fields === undefined || criterion === undefined) return undefined;
  const panel = readPanel(fields("judge")) ?? inherited;
  return panel === undefined ? fail(fields("judge"), "is required: models compare the results") : { criterion, panel };
}
