import type { AdapterFactory } from "../adapter-contract/adapter-subject.ts";
import type { BoardFactory } from "../board-contract/board-subject.ts";
import type { BusFactory } from "../bus-contract/contract-bus.ts";
import type { CheckpointStoreFactory } from "../checkpoint-store-contract/checkpoint-store-subject.ts";
import type { DocumentStoreFactory } from "../document-store-contract/document-store-subject.ts";
import type { EngineFactory } from "../engine-contract/engine-subject.ts";
import type { EnvironmentFactory } from "../environment-contract/environment-subject.ts";
import type { HostFactory } from "../host-contract/host-subject.ts";
import type { ResumerFactory } from "../resumer-contract/resumer-subject.ts";
import type { RunStoreFactory } from "../run-store-contract/run-store-subject.ts";
import type { RuntimeFactory } from "../runtime-contract/runtime-subject.ts";
import type { StreamRouterFactory } from "../stream-router-contract/stream-router-subject.ts";
import type { TransportFactory } from "../transport-contract/transport-subject.ts";

/**
 * Factories, one for each interface that a package implements. `switchyard verify` reads them from the module's export
 * `contracts`.
 */
export interface ContractSubjects {
  /** Creates an engine. */
  readonly engine?: EngineFactory | undefined;
  /** Creates a host. */
  readonly host?: HostFactory | undefined;
  /** Creates a board. */
  readonly board?: BoardFactory | undefined;
  /** Creates an event bus. */
  readonly bus?: BusFactory | undefined;
  /** Creates a stream router. */
  readonly streamRouter?: StreamRouterFactory | undefined;
  /** Creates a checkpoint store. */
  readonly checkpointStore?: CheckpointStoreFactory | undefined;
  /** Creates a store of shared documents. */
  readonly documentStore?: DocumentStoreFactory | undefined;
  /** Creates a resume check. */
  readonly resumer?: ResumerFactory | undefined;
  /** Creates a run store. */
  readonly runStore?: RunStoreFactory | undefined;
  /** Opens an environment. */
  readonly environment?: EnvironmentFactory | undefined;
  /** Configures an engine that is called through any transport: a local command or HTTP. */
  readonly transport?: TransportFactory | undefined;
  /** Configures an engine that runs as a local command. */
  readonly localTransport?: TransportFactory | undefined;
  /** Configures an engine that is called over HTTP. */
  readonly httpTransport?: TransportFactory | undefined;
  /** Creates an adapter with a simulated agent. */
  readonly adapter?: AdapterFactory | undefined;
  /**
   * Creates a packaged runtime (a folder with a manifest and a command that executes tasks), with a scripted command.
   */
  readonly runtime?: RuntimeFactory | undefined;
}

/** Name of a contract. */
export type ContractName = keyof ContractSubjects;

/**
 * Returns the given factories unchanged, so that the compiler checks their types. Usage:
 * `export const contracts = defineContracts({ engine })`.
 */
export function defineContracts(subjects: ContractSubjects): ContractSubjects {
  return subjects;
}
