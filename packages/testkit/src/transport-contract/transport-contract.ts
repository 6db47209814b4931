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

/** Processes are started, and floods come to an end. */
const USUAL = { timeoutMs: 30_000 } as const;

/** What holds for engines whichever way they are called. custom-engine: transport consistency principle. */
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

/** What only engines that are commands can keep. custom-engine: local transport. */
export const localTransportContract: readonly ContractCase<TransportFactory>[] = defineContract(
  openTransportBench,
  [...commandStartCases, ...commandResultCases, ...commandEndCases],
  USUAL,
);

/** What only engines that are services can keep. custom-engine: HTTP transport, HTTP input files. */
export const httpTransportContract: readonly ContractCase<TransportFactory>[] = defineContract(
  openTransportBench,
  [...requestCases, ...uploadCases],
  USUAL,
);
