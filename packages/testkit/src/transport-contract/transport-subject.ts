import type { Engine, ExecutionEnvironment } from "@switchyard/contracts";
import type { Eventually } from "../contract/contract-case.ts";
import type { EngineBehaviour, ReceivedCall } from "./engine-behaviour.ts";

/** What a case asks a factory for. */
export interface TransportSetting {
  /** Name of the engine. */
  readonly name: string;
  /** The block `engine.model`. */
  readonly model?: { readonly provider: string; readonly name: string } | undefined;
  /** The block `engine.custom` without `transport` and the carrier's own block. */
  readonly custom: Readonly<Record<string, unknown>>;
  /**
   * What the case says in the carrier's own block, `local` or `http`, beside what the factory needs there. Arguments of
   * a command come behind those of the factory; `path` is what the address of a service ends with.
   */
  readonly carrier: Readonly<Record<string, unknown>>;
  /** A text with references, which the engine gets the carrier's way: as a variable, or as a header. */
  readonly credential?: string | undefined;
  /** What `${api_key}` stands for. */
  readonly apiKey?: string | undefined;
  /** Variables that references are resolved from, and that the host of the environment has. */
  readonly variables: Readonly<Record<string, string>>;
  /** What the engine does. */
  readonly behaviour: EngineBehaviour;
}

/** An engine behind a transport, and the place of its session. */
export interface TransportSubject {
  /** The engine as its host sees it. */
  readonly engine: Engine;
  /** The environment of its session, with an empty workspace of the case alone. */
  readonly environment: ExecutionEnvironment;
  /** What the engine has got by now, in order. */
  received(): readonly ReceivedCall[];
  /** Resolves when the engine has got so many calls. */
  whenReceived(count: number): Promise<void>;
  /** Resolves when nothing of the engine's calls is left: no process of a command, no connection to a service. */
  whenOver(): Promise<void>;
  /** Gives everything back. */
  dispose(): void | Promise<void>;
}

/**
 * Configures an engine and puts one behind it that behaves as the setting says. Rejects where the configuration is
 * wrong.
 */
export type TransportFactory = (setting: TransportSetting) => Eventually<TransportSubject>;
