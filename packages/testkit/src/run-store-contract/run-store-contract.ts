import type { ContractCase } from "../contract/contract-case.ts";
import { defineContract } from "../contract/define-contract.ts";
import { leaseCases } from "./lease-cases.ts";
import { logCases } from "./log-cases.ts";
import { recordCases } from "./record-cases.ts";
import { openRunStoreSubject, type RunStoreFactory } from "./run-store-subject.ts";

/** Conformance cases for run stores: the durability promises D1, D2, D3, D6, D7 and D8, as observed by callers. */
export const runStoreContract: readonly ContractCase<RunStoreFactory>[] = defineContract(openRunStoreSubject, [
  ...recordCases,
  ...logCases,
  ...leaseCases,
]);
