import type { AgentAdapter, ExecutionEnvironment } from "@switchyard/contracts";
import type { Eventually } from "../contract/contract-case.ts";
import type { AgentTurn, ReceivedTurn } from "./agent-script.ts";

/** What a case asks a factory for. */
export interface AdapterSetting {
  /** What the agent does, turn by turn; the last one again for further turns. */
  readonly turns: readonly AgentTurn[];
  /** Settings that every adapter has: `command`, `env` and the limits. A `command` replaces the factory's. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Variables that the host has; an adapter hands on what it or its settings name. */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * What an agent may be without:
 * - `texts`: it says one thing after the other while it works, and not all of it at the end;
 * - `tools`: it tells calls of tools, with arguments, output and their ends;
 * - `questions`: it asks a person; `failures`: it says that it failed, and why;
 * - `malformed`: its output has a form, so that a line can be broken; a text for people has none;
 * - `results`: it reports how its turn ended, and its exit code does not decide that.
 */
export type AgentAbility = "texts" | "tools" | "questions" | "failures" | "malformed" | "results";

/** An adapter with a fake of its agent, and the place where it works. */
export interface AdapterSubject {
  /** The adapter, made of the setting. */
  readonly adapter: AgentAdapter;
  /** The environment of its sessions, with an empty workspace of the case alone. */
  readonly environment: ExecutionEnvironment;
  /** What the agent was started with by now, in order. */
  received(): readonly ReceivedTurn[];
  /** Resolves when the agent has come to the step that hangs. */
  whenHanging(): Promise<void>;
  /** The processes of the agent that are alive, and their children. */
  survivors(): Promise<readonly number[]>;
  /** What the agent is without, and why: cases that need it are left out with that reason. */
  readonly lacks?: Readonly<Partial<Record<AgentAbility, string>>> | undefined;
  /** Gives everything back. */
  dispose(): void | Promise<void>;
}

/** Makes an adapter whose agent behaves as the setting says. Rejects where the configuration is wrong. */
export type AdapterFactory = (setting: AdapterSetting) => Eventually<AdapterSubject>;
