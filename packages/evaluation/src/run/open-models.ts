import { EngineError } from "@switchyard/contracts";
import type { SimulatedUserModel } from "../conversation/create-conversation-engine.ts";
import type { AskModel } from "../model/ask-model.ts";
import { keyOfModel, type OpenEvalModel } from "../model/open-eval-model.ts";
import type { EvalSuite, JudgePanel } from "../suite/eval-suite.ts";
import { rubricsOf } from "../suite/rubrics-of.ts";
import { isJudgedByEngine } from "./open-judge-engines.ts";

/** Models of an evaluation. */
export interface OpenedModels {
  /** Models of the judges, by `keyOfModel`. A model that cannot be called directly is missing. */
  readonly judges: ReadonlyMap<string, AskModel>;
  /** Model of the simulated user. `undefined` if no case has one. */
  readonly simulatedUser: SimulatedUserModel | undefined;
}

/**
 * Opens all models of a suite before the first trial. If a judge's model cannot be called and the suite allows an
 * engine to judge instead, the model is omitted. Otherwise rejects with `model.*` if a model cannot be called. Rejects
 * with `config.invalid` if `openModel` or the settings of the simulated user are missing.
 */
export async function openModels(
  { cases, preference, simulatedUser }: Pick<EvalSuite, "cases" | "preference" | "simulatedUser">,
  openModel: OpenEvalModel | undefined,
): Promise<OpenedModels> {
  const judges = new Map<string, AskModel>();
  for (const panel of [...panelsOf(cases), ...(preference === undefined ? [] : [preference.panel])]) {
    for (const choice of panel.models) {
      const key = keyOfModel(choice);
      if (judges.has(key)) continue;
      const opened = await open(choice, openModel).catch((error: unknown) => {
        if (panel.mayUseEngine === true && isMissingModel(error)) return undefined;
        throw error;
      });
      if (opened !== undefined) judges.set(key, opened);
    }
  }
  const isSimulated = cases.some(({ scenario }) => scenario !== undefined);
  if (!isSimulated) return { judges, simulatedUser: undefined };
  if (simulatedUser === undefined) {
    throw new EngineError("config.invalid", { field: "simulated_user", problem: "a case has a simulated user." });
  }
  const { timeoutSeconds, ...choice } = simulatedUser;
  return { judges, simulatedUser: { ask: await open(choice, openModel), timeoutSeconds } };
}

function panelsOf(cases: EvalSuite["cases"]): JudgePanel[] {
  return rubricsOf(cases)
    .filter((rubric) => !isJudgedByEngine(rubric))
    .map(({ panel }) => panel);
}

async function open(choice: Parameters<OpenEvalModel>[0], openModel: OpenEvalModel | undefined): Promise<AskModel> {
  if (openModel !== undefined) return openModel(choice);
  throw new EngineError("config.invalid", {
    field: "openModel",
    problem: `the evaluation needs the model ${choice.model}.`,
  });
}

function isMissingModel(error: unknown): boolean {
  return EngineError.is(error) && (error.code.startsWith("model.") || error.details["field"] === "openModel");
}
