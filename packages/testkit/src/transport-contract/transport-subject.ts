import type { Engine, ExecutionEnvironment } from "@switchyard/contracts";
import type { Eventually } from "../contract/contract-case.ts";
import type { EngineBehaviour, ReceivedCall } from "./engine-behaviour.ts";

/** Options that a conformance case passes to a transport factory. */
export interface TransportSetting {
  /** Name of the engine. */
  readonly name: string;
  /** Block `engine.model` of the configuration. */
  readonly model?: { readonly provider: string; readonly name: string } | undefined;
  /** Block `engine.custom` of the configuration, without `transport` and the transport's own block. */
  readonly custom: Readonly<Record<string, unknown>>;
  /**
   * Settings that the test case adds to the block `local` or `http` of the configuration, besides those that your factory
   * sets there. For a command, add its arguments after those of the factory. For a service, append `path` to the address.
   */
  readonly carrier: Readonly<Record<string, unknown>>;
  /**
   * Credential, as a text that may contain references to variables. It is passed to the engine as an environment
   * variable or as a header.
   */
  readonly credential?: string | undefined;
  /** Value of `${api_key}`. */
  readonly apiKey?: string | undefined;
  /** Variables for resolving references. The host of the environment has the same variables. */
  readonly variables: Readonly<Record<string, string>>;
  /** Behaviour of the engine. */
  readonly behaviour: EngineBehaviour;
}

/** An engine that is called through a transport, and the environment of the session. */
export interface TransportSubject {
  /** Engine as seen by its host. */
  readonly engine: Engine;
  /** Environment of the engine's session. Its workspace is empty and is used by only one conformance case. */
  readonly environment: ExecutionEnvironment;
  /** Returns the calls the engine has received so far, in order. */
  received(): readonly ReceivedCall[];
  /** Resolves when the engine has received the given number of calls. */
  whenReceived(count: number): Promise<void>;
  /** Resolves when no process of the command and no connection to the service is left from the engine's calls. */
  whenOver(): Promise<void>;
  /** Releases all resources. */
  dispose(): void | Promise<void>;
}

/** Configures a simulated engine that behaves as the options require. Rejects if the configuration is invalid. */
export type TransportFactory = (setting: TransportSetting) => Eventually<TransportSubject>;
