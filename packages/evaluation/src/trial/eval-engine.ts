import type { Engine } from "@switchyard/contracts";
import type { McpServers } from "@switchyard/mcp";
import type { Secret } from "@switchyard/secrets";
import type { EngineChoice } from "../suite/eval-suite.ts";
import type { EngineFacts } from "./engine-facts.ts";

/** An engine opened for an evaluation. It may run several sessions concurrently. */
export interface EvalEngine extends Partial<EngineFacts> {
  /** Name that the engine reports, for records and results. */
  readonly name: string;
  /** Engine to run. Disposed at the end of the evaluation if it is disposable. */
  readonly engine: Engine;
  /** Model reference of the engine's sessions. `undefined` if the engine chooses the model. */
  readonly model?: string | undefined;
  /** Secret values to mask in all output. */
  readonly secrets?: Iterable<string | Secret> | undefined;
}

/** Additional settings of a case for its engine, such as MCP servers. */
export interface EngineEquipment {
  /** MCP servers whose tools the engine offers. */
  readonly mcpServers?: McpServers | undefined;
}

/**
 * Opens an engine of the suite. `spec` is a name, the path of an engine file, or an inline engine block. Contract:
 * rejects before a session starts if the engine is unusable.
 */
export type OpenEvalEngine = (spec: EngineChoice["spec"], equipment?: EngineEquipment) => Promise<EvalEngine>;

/** An opened engine and its name in this evaluation. */
export interface NamedEvalEngine extends EvalEngine {
  /** Unique name within the evaluation. */
  readonly id: string;
  /** Version of the engine's command that the suite requires. `undefined`: any. */
  readonly version?: string | undefined;
  /** Opens the same engine with the additional settings of a case. */
  readonly equip: (equipment: EngineEquipment) => Promise<EvalEngine>;
}
