import type { AgentAdapter, ExecutionEnvironment } from "@switchyard/contracts";
import type { Eventually } from "../contract/contract-case.ts";
import type { AgentTurn, ReceivedTurn } from "./agent-script.ts";

/** Setting that a case passes to a factory. */
export interface AdapterSetting {
  /** Turns of the agent. The last one repeats. */
  readonly turns: readonly AgentTurn[];
  /** Settings that every adapter has: `command`, `env` and limits. A `command` replaces the factory's. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Variables of the host. An adapter passes on those that it or its settings name. */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Abilities that an agent may lack:
 *
 * - `texts`: it emits texts while it works, not only at the end;
 * - `tools`: it reports tool calls with arguments, output and end;
 * - `questions`: it asks the user; `failures`: it reports failures with a reason;
 * - `malformed`: its output has a format, so that a line can be invalid; human-readable text has none;
 * - `results`: it reports how its turn ended, independently of its exit code.
 */
export type AgentAbility = "texts" | "tools" | "questions" | "failures" | "malformed" | "results";

/** An adapter with a simulated agent and its environment. */
export interface AdapterSubject {
  /** Adapter created from the setting. */
  readonly adapter: AgentAdapter;
  /** Environment of its sessions, with a new, empty workspace. */
  readonly environment: ExecutionEnvironment;
  /** Returns the turns the agent has received so far, in order. */
  received(): readonly ReceivedTurn[];
  /** Resolves when the agent has reached the step that hangs. */
  whenHanging(): Promise<void>;
  /** Resolves with the ids of the agent's living processes and their children. */
  survivors(): Promise<readonly number[]>;
  /** Missing abilities and the reason for each. Cases that need one are skipped with that reason. */
  readonly lacks?: Readonly<Partial<Record<AgentAbility, string>>> | undefined;
  /** Releases all resources. */
  dispose(): void | Promise<void>;
}

/** Creates an adapter whose agent follows the setting. Rejects if the configuration is invalid. */
export type AdapterFactory = (setting: AdapterSetting) => Eventually<AdapterSubject>;
