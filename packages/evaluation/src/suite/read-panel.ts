import { isRecord } from "../files/is-record.ts";
import type { EngineChoice, JudgePanel, ModelChoice } from "./eval-suite.ts";
import { below, type Field, fail, isAbsent, readList, readMap, readText, required } from "./field.ts";
import { isEngineFile, readEngineChoice } from "./read-engine-choice.ts";
import { readOneOf } from "./scalar-fields.ts";

/** Reads a `judge` block: one model, a panel of several, or an engine that judges as an agent. */
export async function readPanel(field: Field, directory: string): Promise<JudgePanel | undefined> {
  if (isAbsent(field)) return undefined;
  const fields = readMap(field, ["model", "base_url", "models", "decision", "tie", "engine"]);
  if (fields === undefined) return undefined;
  const [one, several] = [fields("model"), fields("models")];
  if (!isAbsent(one) && !isAbsent(several)) fail(several, "does not go with model");
  const entries = readList(several);
  if (!isAbsent(several) && entries.length === 0) fail(several, "must name at least one model");
  if (!isAbsent(several) && !isAbsent(fields("base_url"))) fail(fields("base_url"), "goes with model only");
  const models = isAbsent(several) ? [readModel(one, fields("base_url"))] : entries.map((entry) => readEntry(entry));
  const twin = entries.find((entry, index) => entries.slice(0, index).some(({ value }) => value === entry.value));
  if (twin !== undefined) fail(twin, "is listed before; each judge needs another model");
  const engine = await readJudgeEngine(fields("engine"), directory, one);
  if (!isAbsent(fields("engine")) && !isAbsent(several)) fail(fields("engine"), "goes with model only");
  return {
    ...(engine === undefined ? {} : { engine }),
    models: models.filter((model) => model !== undefined),
    decision: readOneOf(fields("decision"), ["majority", "mean"]) ?? "majority",
    tie: readOneOf(fields("tie"), ["fail", "pass", "error"]) ?? "fail",
  };
}

/** Reads the engine that judges. The engine uses the judge's model, unless an engine file configures the engine. */
async function readJudgeEngine(field: Field, directory: string, model: Field): Promise<EngineChoice | undefined> {
  if (isAbsent(field)) return undefined;
  const choice = await readEngineChoice(field, directory);
  const reference = isAbsent(model) || typeof model.value !== "string" ? undefined : model.value;
  if (choice === undefined || reference === undefined) return choice;
  const { spec } = choice;
  if (typeof spec !== "string") return { ...choice, spec: { ...spec, model: reference } };
  return isEngineFile(spec) ? choice : { ...choice, spec: { name: spec, model: reference } };
}

function readEntry(field: Field): ModelChoice | undefined {
  if (!isRecord(field.value)) return readModel(field, below(field, "base_url", undefined));
  const fields = readMap(field, ["model", "base_url"]);
  return fields === undefined ? undefined : readModel(fields("model"), fields("base_url"));
}

/** Reads a model reference and the base URL of its API. */
export function readModel(field: Field, url: Field): ModelChoice | undefined {
  const model = required(field, readText);
  const baseUrl = readText(url);
  return model === undefined ? undefined : { model, baseUrl };
}
