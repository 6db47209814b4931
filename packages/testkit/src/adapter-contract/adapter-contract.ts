import type { ContractCase } from "../contract/contract-case.ts";
import { defineContract } from "../contract/define-contract.ts";
import { openAdapterBench } from "./adapter-bench.ts";
import type { AdapterFactory } from "./adapter-subject.ts";
import { claimCases } from "./claim-cases.ts";
import { outcomeCases } from "./outcome-cases.ts";
import { outputCases } from "./output-cases.ts";
import { resultCases } from "./result-cases.ts";
import { sessionCases } from "./session-cases.ts";

/** Time limit of a case, in milliseconds. Generous, because other work may occupy all processors. */
const CASE_MS = 120_000;

/** Conformance cases for adapters, independent of the agent's command. See agent-adapter. */
export const adapterContract: readonly ContractCase<AdapterFactory>[] = defineContract(
  openAdapterBench,
  [...claimCases, ...sessionCases, ...outputCases, ...outcomeCases, ...resultCases],
  { timeoutMs: CASE_MS },
);
