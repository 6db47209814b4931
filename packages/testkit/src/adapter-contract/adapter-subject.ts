import type { AgentAdapter, ExecutionEnvironment } from "@switchyard/contracts";
import type { Eventually } from "../contract/contract-case.ts";
import type { AgentTurn, ReceivedTurn } from "./agent-script.ts";

/** Options that a conformance case passes to an adapter factory. */
export interface AdapterSetting {
  /** Turns of the simulated agent. The last turn is repeated for further prompts. */
  readonly turns: readonly AgentTurn[];
  /**
   * Settings that every adapter has: `command`, `env` and limits. If a conformance case sets `command`, the factory
   * uses that command instead of its own.
   */
  readonly config: Readonly<Record<string, unknown>>;
  /**
   * Environment variables of the program that runs the adapter. An adapter passes to the agent only the variables that
   * the adapter or its settings name.
   */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Optional features of an agent:
 *
 * - `texts`: the agent emits texts while it works, not only at the end.
 * - `tools`: the agent reports tool calls with arguments, output and end.
 * - `questions`: the agent asks the user.
 * - `failures`: the agent reports failures with a reason.
 * - `malformed`: the agent's output has a format, so a line can be invalid, unlike in human-readable text.
 * - `results`: the agent reports how its turn ended, independently of its exit code.
 */
export type AgentAbility = "texts" | "tools" | "questions" | "failures" | "malformed" | "results";

/** An adapter with a simulated agent and its environment. */
export interface AdapterSubject {
  /** Adapter that the factory created. */
  readonly adapter: AgentAdapter;
  /** Environment in which the adapter's sessions run, with a new, empty workspace. */
  readonly environment: ExecutionEnvironment;
  /** Returns the turns the agent has received so far, in order. */
  received(): readonly ReceivedTurn[];
  /** Resolves when the simulated agent has reached the step at which it hangs. */
  whenHanging(): Promise<void>;
  /** Resolves with the ids of the agent's living processes and their children. */
  survivors(): Promise<readonly number[]>;
  /** Missing features, each with a reason. Cases that need a missing feature are skipped with this reason. */
  readonly lacks?: Readonly<Partial<Record<AgentAbility, string>>> | undefined;
  /** Releases all resources. */
  dispose(): void | Promise<void>;
}

/** Creates an adapter with a simulated agent, as the options require. Rejects if the configuration is invalid. */
export type AdapterFactory = (setting: AdapterSetting) => Eventually<AdapterSubject>;
