import type { JudgePanel, PreferenceQuestion } from "./eval-suite.ts";
import { type Field, fail, isAbsent, readMap, readText, required } from "./field.ts";
import { readPanel } from "./read-panel.ts";

/** Reads `preference`: a criterion by which judges compare the results of engines. */
export async function readPreference(
  field: Field,
  { directory, panel: inherited }: { readonly directory: string; readonly panel: JudgePanel | undefined },
): Promise<PreferenceQuestion | undefined> {
  if (isAbsent(field)) return undefined;
  const fields = readMap(field, ["criterion", "judge"]);
  const criterion = fields === undefined ? undefined : required(fields("criterion"), readText);
  if (fields === undefined || criterion === undefined) return undefined;
  const panel = (await readPanel(fields("judge"), directory)) ?? inherited;
  if (panel?.engine !== undefined) return fail(fields("judge"), "must name models: an engine compares no results");
  return panel === undefined ? fail(fields("judge"), "is required: models compare the results") : { criterion, panel };
}
