import type { ContractCase } from "../contract/contract-case.ts";
import { defineContract } from "../contract/define-contract.ts";
import { artifactCases } from "./artifact-cases.ts";
import { commandEndCases, commandResultCases } from "./command-cases.ts";
import { commandStartCases } from "./command-start-cases.ts";
import { endingCases, failureCases, statefulCases } from "./failure-cases.ts";
import { inputCases, parameterCases } from "./input-cases.ts";
import { maskingCases } from "./masking-cases.ts";
import { resultCases, textCases, transcriptCases } from "./result-cases.ts";
import { requestCases, uploadCases } from "./service-cases.ts";
import { credentialCases, settingCases } from "./setting-cases.ts";
import { openTransportBench } from "./transport-bench.ts";
import type { TransportFactory } from "./transport-subject.ts";

/** The time limit is long, because starting processes and stopping endless output take time. */
const USUAL = { timeoutMs: 30_000 } as const;

/** Conformance cases for engines with any transport. See custom-engine: transport consistency principle. */
export const transportContract: readonly ContractCase<TransportFactory>[] = defineContract(
  openTransportBench,
  [
    ...inputCases,
    ...parameterCases,
    ...settingCases,
    ...credentialCases,
    ...maskingCases,
    ...resultCases,
    ...transcriptCases,
    ...textCases,
    ...failureCases,
    ...endingCases,
    ...statefulCases,
    ...artifactCases,
  ],
  USUAL,
);

/** Conformance cases for engines that run as local commands. See custom-engine: local transport. */
export const localTransportContract: readonly ContractCase<TransportFactory>[] = defineContract(
  openTransportBench,
  [...commandStartCases, ...commandResultCases, ...commandEndCases],
  USUAL,
);

/** Conformance cases for engines that are called over HTTP. See custom-engine: HTTP transport, HTTP input files. */
export const httpTransportContract: readonly ContractCase<TransportFactory>[] = defineContract(
  openTransportBench,
  [...requestCases, ...uploadCases],
  USUAL,
);
