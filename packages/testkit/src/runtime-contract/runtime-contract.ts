import type { ContractCase } from "../contract/contract-case.ts";
import { defineContract } from "../contract/define-contract.ts";
import { attemptCases, endingCases } from "./ending-cases.ts";
import { artifactCases, intactCases, outcomeCases } from "./outcome-cases.ts";
import { executionCases, requestCases } from "./request-cases.ts";
import { openRuntimeBench } from "./runtime-bench.ts";
import type { RuntimeFactory } from "./runtime-subject.ts";
import { secretCases } from "./secret-cases.ts";
import { workspaceCases } from "./workspace-cases.ts";

const CASE_MS = 30_000;

/**
 * Conformance cases for packaged runtimes (folders with a manifest and a command that executes tasks), independent of
 * their commands. See agent-runtime-package: provider command contract.
 */
export const runtimeContract: readonly ContractCase<RuntimeFactory>[] = defineContract(
  openRuntimeBench,
  [
    ...requestCases,
    ...executionCases,
    ...endingCases,
    ...attemptCases,
    ...outcomeCases,
    ...intactCases,
    ...artifactCases,
    ...secretCases,
    ...workspaceCases,
  ],
  { timeoutMs: CASE_MS },
);
