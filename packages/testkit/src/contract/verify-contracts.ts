import { adapterContract } from "../adapter-contract/adapter-contract.ts";
import { boardContract } from "../board-contract/board-contract.ts";
import { busContract } from "../bus-contract/bus-contract.ts";
import { checkpointStoreContract } from "../checkpoint-store-contract/checkpoint-store-contract.ts";
import { documentStoreContract } from "../document-store-contract/document-store-contract.ts";
import { engineContract } from "../engine-contract/engine-contract.ts";
import { environmentContract } from "../environment-contract/environment-contract.ts";
import { hostContract } from "../host-contract/host-contract.ts";
import { resumerContract } from "../resumer-contract/resumer-contract.ts";
import { runStoreContract } from "../run-store-contract/run-store-contract.ts";
import { runtimeContract } from "../runtime-contract/runtime-contract.ts";
import { streamRouterContract } from "../stream-router-contract/stream-router-contract.ts";
import {
  httpTransportContract,
  localTransportContract,
  transportContract,
} from "../transport-contract/transport-contract.ts";
import type { ContractCase } from "./contract-case.ts";
import type { ContractName, ContractSubjects } from "./contract-subjects.ts";
import { type ContractResult, type RunContractOptions, runContract } from "./run-contract.ts";

type Run = (options: RunContractOptions) => Promise<readonly ContractResult[]>;

function bind<Factory>(cases: readonly ContractCase<Factory>[], factory: Factory | undefined): Run | undefined {
  return factory === undefined ? undefined : (options) => runContract(cases, factory, options);
}

function runsOf(subjects: ContractSubjects): Readonly<Record<ContractName, Run | undefined>> {
  return {
    engine: bind(engineContract, subjects.engine),
    host: bind(hostContract, subjects.host),
    board: bind(boardContract, subjects.board),
    bus: bind(busContract, subjects.bus),
    streamRouter: bind(streamRouterContract, subjects.streamRouter),
    checkpointStore: bind(checkpointStoreContract, subjects.checkpointStore),
    documentStore: bind(documentStoreContract, subjects.documentStore),
    resumer: bind(resumerContract, subjects.resumer),
    runStore: bind(runStoreContract, subjects.runStore),
    environment: bind(environmentContract, subjects.environment),
    transport: bind(transportContract, subjects.transport),
    localTransport: bind(localTransportContract, subjects.localTransport),
    httpTransport: bind(httpTransportContract, subjects.httpTransport),
    adapter: bind(adapterContract, subjects.adapter),
    runtime: bind(runtimeContract, subjects.runtime),
  };
}

/** Names of all contracts. */
export const CONTRACT_NAMES: readonly ContractName[] = [
  "engine",
  "host",
  "board",
  "bus",
  "streamRouter",
  "checkpointStore",
  "documentStore",
  "resumer",
  "runStore",
  "environment",
  "transport",
  "localTransport",
  "httpTransport",
  "adapter",
  "runtime",
];

/** Report of one contract. */
export interface ContractReport {
  /** Name of the contract. */
  readonly name: ContractName;
  /** Results of the contract's conformance cases, in order. */
  readonly results: readonly ContractResult[];
}

/** Options for verifying contracts. */
export interface VerifyContractsOptions extends RunContractOptions {
  /** Names of the contracts to run. Default: all contracts that have a factory. */
  readonly names?: readonly ContractName[] | undefined;
}

/**
 * Runs the conformance cases of each contract that has a factory. Contracts without a factory are skipped. Never
 * rejects.
 */
export async function verifyContracts(
  subjects: ContractSubjects,
  { names = CONTRACT_NAMES, ...options }: VerifyContractsOptions = {},
): Promise<readonly ContractReport[]> {
  const runs = runsOf(subjects);
  const reports: ContractReport[] = [];
  for (const name of CONTRACT_NAMES) {
    const run = names.includes(name) ? runs[name] : undefined;
    if (run !== undefined) reports.push({ name, results: await run(options) });
  }
  return reports;
}
