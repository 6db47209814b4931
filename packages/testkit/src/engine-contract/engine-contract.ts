import type { ContractCase } from "../contract/contract-case.ts";
import { defineContract } from "../contract/define-contract.ts";
import { capabilityCases } from "./capability-cases.ts";
import { checkpointCases } from "./checkpoint-cases.ts";
import { type EngineFactory, openEngineSubject } from "./engine-subject.ts";
import { hostUseCases } from "./host-use-cases.ts";
import { inputCases } from "./input-cases.ts";
import { lifecycleCases } from "./lifecycle-cases.ts";
import { resumeCases } from "./resume-cases.ts";
import { stoppingCases } from "./stopping-cases.ts";

/**
 * Conformance cases for engines, as seen by their host (the program that starts a run): start, end, stop, resume,
 * claimed capabilities. See engine: Engine.
 */
export const engineContract: readonly ContractCase<EngineFactory>[] = defineContract(openEngineSubject, [
  ...lifecycleCases,
  ...stoppingCases,
  ...inputCases,
  ...hostUseCases,
  ...capabilityCases,
  ...checkpointCases,
  ...resumeCases,
]);
