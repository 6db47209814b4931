import { type AdapterCapabilities, type AgentAdapter, EngineError } from "@switchyard/contracts";
import type { Secret } from "@switchyard/secrets";
import type { AgentCheckup } from "../checkup/agent-checkup.ts";
import { type AgentTimeouts, DEFAULT_TIMEOUTS } from "../turn/turn-clock.ts";
import { type ConfigReader, readConfig } from "./config-reader.ts";
import type { AdapterModes } from "./permission-modes.ts";

/** Settings that every adapter has. agent-adapter: AgentConfig. */
export interface AgentSettings {
  /** Exact name of the kind. */
  readonly kind: string;
  /** The configured command, where there is one. */
  readonly command?: string | readonly string[] | undefined;
  /** The agent's usual command. */
  readonly defaultCommand: string;
  /** Time limits. */
  readonly timeouts: AgentTimeouts;
  /** Variables beyond the core ones; their values are masked in whatever is told. */
  readonly variables: Readonly<Record<string, Secret>>;
  /** What the agent can do. */
  readonly capabilities: AdapterCapabilities;
  /** The wall clock, in milliseconds since 1970. */
  readonly now: () => number;
  /** Makes ids, as UUIDs. */
  readonly createId: () => string;
}

/** What an adapter's author writes. */
export interface AdapterDefinition<Config> {
  /** Exact name, as configurations and command lines say it. */
  readonly kind: string;
  /** Command that is run when none is configured; empty where there is no usual one. */
  readonly defaultCommand: string;
  /** What the agent can do. */
  readonly capabilities: AdapterCapabilities;
  /** Variables with which the agent signs in; handed on where the host has them. */
  readonly credentials: readonly string[];
  /** How somebody gets the agent ready, and how it shows whether it is. */
  readonly checkup?: AgentCheckup | undefined;
  /** What the permission modes come to in its block; none where it has nothing for them. */
  readonly modes?: AdapterModes | undefined;
  /** Reads the adapter's own settings. Contract: notes what is wrong, throws nothing. */
  readonly readConfig: (reader: ConfigReader) => Config;
  /** Makes the adapter. */
  readonly create: (settings: AgentSettings, config: Config) => AgentAdapter;
}

/** What a host gives an adapter beside its configuration. */
export interface CreateAdapterOptions {
  /** Values of variables by name: those that the definition or the configuration names are handed on. */
  readonly variables?: Readonly<Record<string, Secret>> | undefined;
  /** The wall clock, in milliseconds since 1970; `Date.now` by default. */
  readonly now?: (() => number) | undefined;
  /** Makes ids; random UUIDs by default. */
  readonly createId?: (() => string) | undefined;
}

/** An adapter's kind, ready for a host: nothing of it runs, and nothing is registered, until it is made. */
export interface AdapterKind {
  /** Exact name. */
  readonly kind: string;
  /** Whether a command has to be configured. */
  readonly requiresCommand: boolean;
  /** What the agent can do. */
  readonly capabilities: AdapterCapabilities;
  /** Variables with which the agent signs in. */
  readonly credentials: readonly string[];
  /** Command that is run when none is configured; empty where there is no usual one. */
  readonly defaultCommand: string;
  /** How somebody gets the agent ready. */
  readonly checkup: AgentCheckup;
  /** What the permission modes come to in its block. */
  readonly modes?: AdapterModes | undefined;
  /** The command that a block names, where it names one. Throws `config.invalid`. */
  commandOf(block: unknown): string | readonly string[] | undefined;
  /** Names of the variables that a block hands on. Throws `config.invalid`. */
  variableNames(block: unknown): readonly string[];
  /** Makes the adapter of a block. Throws `config.invalid`, before anything runs. */
  create(block: unknown, options?: CreateAdapterOptions): AgentAdapter;
}

interface CommonConfig {
  readonly command: string | readonly string[] | undefined;
  readonly timeouts: AgentTimeouts;
  readonly names: readonly string[];
}

function readCommon(reader: ConfigReader): CommonConfig {
  const limit = (name: string, standard: number): number => reader.count(name) ?? standard;
  return {
    command: reader.command("command"),
    names: reader.texts("env"),
    timeouts: {
      turnTimeoutMs: limit("turn_timeout_ms", DEFAULT_TIMEOUTS.turnTimeoutMs),
      startupTimeoutMs: limit("startup_timeout_ms", DEFAULT_TIMEOUTS.startupTimeoutMs),
      stallTimeoutMs: limit("stall_timeout_ms", DEFAULT_TIMEOUTS.stallTimeoutMs),
      stopGraceMs: limit("stop_grace_ms", DEFAULT_TIMEOUTS.stopGraceMs),
      resultGraceMs: limit("result_grace_ms", DEFAULT_TIMEOUTS.resultGraceMs),
    },
  };
}

/**
 * Makes a kind of adapter of what its author writes. Every kind has the settings `command`, `env` (names of variables
 * that are handed on), `turn_timeout_ms`, `startup_timeout_ms`, `stall_timeout_ms`, `stop_grace_ms` and
 * `result_grace_ms`. Throws `adapter.kind_taken` for an empty kind. agent-adapter: register the adapter.
 */
export function defineAdapter<Config>(definition: AdapterDefinition<Config>): AdapterKind {
  const { kind, defaultCommand, capabilities, credentials, modes, checkup = {} } = definition;
  if (kind.trim() === "") throw new EngineError("adapter.kind_taken", { kind: "(empty)", problem: "it has no name" });
  const requiresCommand = defaultCommand.trim() === "";
  const read = (block: unknown): { common: CommonConfig; own: Config } =>
    readConfig(kind, block, (reader) => {
      const common = readCommon(reader);
      return { common, own: definition.readConfig(reader) };
    });
  const readWhole = (block: unknown): ReturnType<typeof read> => {
    const found = read(block);
    if (!requiresCommand || found.common.command !== undefined) return found;
    throw new EngineError("config.invalid", { field: `${kind}.command`, problem: "it is required" });
  };
  const variableNames = (block: unknown): readonly string[] => [...credentials, ...read(block).common.names];
  return {
    ...{ kind, requiresCommand, capabilities, credentials, defaultCommand, checkup, modes, variableNames },
    commandOf: (block) => read(block).common.command,
    create(block, { variables = {}, now = Date.now, createId = () => crypto.randomUUID() } = {}) {
      const { common, own } = readWhole(block);
      const named = new Set([...credentials, ...common.names]);
      const carried = Object.entries(variables).filter(([name]) => named.has(name));
      const { command, timeouts } = common;
      const given = { kind, command, defaultCommand, timeouts, capabilities, now, createId };
      return definition.create({ ...given, variables: Object.fromEntries(carried) }, own);
    },
  };
}

/** Whether a value is a kind of adapter, such as the export of a package that was found. */
export function isAdapterKind(value: unknown): value is AdapterKind {
  if (typeof value !== "object" || value === null) return false;
  const functions = ["create", "variableNames", "commandOf"].map((name) => Reflect.get(value, name));
  const [kind, checkup] = [Reflect.get(value, "kind"), Reflect.get(value, "checkup")];
  return typeof kind === "string" && typeof checkup === "object" && functions.every((one) => typeof one === "function");
}
