import type { AdapterFactory } from "../adapter-contract/adapter-subject.ts";
import type { BoardFactory } from "../board-contract/board-subject.ts";
import type { BusFactory } from "../bus-contract/contract-bus.ts";
import type { CheckpointStoreFactory } from "../checkpoint-store-contract/checkpoint-store-subject.ts";
import type { EngineFactory } from "../engine-contract/engine-subject.ts";
import type { EnvironmentFactory } from "../environment-contract/environment-subject.ts";
import type { HostFactory } from "../host-contract/host-subject.ts";
import type { ResumerFactory } from "../resumer-contract/resumer-subject.ts";
import type { RunStoreFactory } from "../run-store-contract/run-store-subject.ts";
import type { RuntimeFactory } from "../runtime-contract/runtime-subject.ts";
import type { StreamRouterFactory } from "../stream-router-contract/stream-router-subject.ts";
import type { TransportFactory } from "../transport-contract/transport-subject.ts";

/**
 * What a package proves: a factory for each interface it implements. `switchyard verify` looks for it under the name
 * `contracts` among a module's exports.
 */
export interface ContractSubjects {
  /** Makes an engine. */
  readonly engine?: EngineFactory | undefined;
  /** Makes a host. */
  readonly host?: HostFactory | undefined;
  /** Makes a board. */
  readonly board?: BoardFactory | undefined;
  /** Makes an event bus. */
  readonly bus?: BusFactory | undefined;
  /** Makes a stream router. */
  readonly streamRouter?: StreamRouterFactory | undefined;
  /** Makes a checkpoint store. */
  readonly checkpointStore?: CheckpointStoreFactory | undefined;
  /** Makes a resume check. */
  readonly resumer?: ResumerFactory | undefined;
  /** Makes a store of runs. */
  readonly runStore?: RunStoreFactory | undefined;
  /** Opens an environment. */
  readonly environment?: EnvironmentFactory | undefined;
  /** Configures an engine behind a transport of any kind. */
  readonly transport?: TransportFactory | undefined;
  /** Configures an engine that is a command. */
  readonly localTransport?: TransportFactory | undefined;
  /** Configures an engine that is a service. */
  readonly httpTransport?: TransportFactory | undefined;
  /** Makes an adapter with a fake of its agent. */
  readonly adapter?: AdapterFactory | undefined;
  /** Makes a packaged runtime whose command does as it is told. */
  readonly runtime?: RuntimeFactory | undefined;
}

/** Name of a contract. */
export type ContractName = keyof ContractSubjects;

/** Says, checked by the compiler, what a package proves: `export const contracts = defineContracts({ engine })`. */
export function defineContracts(subjects: ContractSubjects): ContractSubjects {
  return subjects;
}
