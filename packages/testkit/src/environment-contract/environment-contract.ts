import type { ContractCase } from "../contract/contract-case.ts";
import { defineContract } from "../contract/define-contract.ts";
import { byteCases } from "./byte-cases.ts";
import { commandCases } from "./command-cases.ts";
import { concurrencyCases } from "./concurrency-cases.ts";
import { endingCases } from "./ending-cases.ts";
import { openEnvironmentBench } from "./environment-bench.ts";
import type { EnvironmentFactory } from "./environment-subject.ts";
import { folderCases } from "./folder-cases.ts";
import { globCases } from "./glob-cases.ts";
import { goldenCases } from "./golden-cases.ts";
import { grepCases } from "./grep-cases.ts";
import { inputCases } from "./input-cases.ts";
import { lifetimeCases } from "./lifetime-cases.ts";
import { linkCases } from "./link-cases.ts";
import { nameCases } from "./name-cases.ts";
import { outputCases } from "./output-cases.ts";
import { pathCases } from "./path-cases.ts";
import { readCases } from "./read-cases.ts";
import { spawnCases } from "./spawn-cases.ts";
import { specialFileCases } from "./special-file-cases.ts";
import { swapCases } from "./swap-cases.ts";
import { variableCases } from "./variable-cases.ts";
import { writeCases } from "./write-cases.ts";

/**
 * Time limit of a conformance case, in milliseconds. The limit is long because opening a container or a connection
 * takes time.
 */
const TIMEOUT_MS = 30_000;

/** Conformance cases for environments, local and remote. See loop: §4.3, "same cases". */
export const environmentContract: readonly ContractCase<EnvironmentFactory>[] = defineContract(
  openEnvironmentBench,
  [
    ...readCases,
    ...byteCases,
    ...writeCases,
    ...folderCases,
    ...nameCases,
    ...pathCases,
    ...linkCases,
    ...swapCases,
    ...specialFileCases,
    ...commandCases,
    ...inputCases,
    ...outputCases,
    ...variableCases,
    ...endingCases,
    ...spawnCases,
    ...grepCases,
    ...globCases,
    ...goldenCases,
    ...concurrencyCases,
    ...lifetimeCases,
  ],
  { timeoutMs: TIMEOUT_MS },
);
