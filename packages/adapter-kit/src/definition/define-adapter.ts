import { type AdapterCapabilities, type AgentAdapter, EngineError, type ModelRoute } from "@switchyard/contracts";
import type { Secret } from "@switchyard/secrets";
import type { AgentCheckup } from "../checkup/agent-checkup.ts";
import {
  type GivenVariables,
  type ModelEndpoint,
  type ModelRedirect,
  type RedirectedVariables,
  redirectVariables,
} from "../redirect/model-redirect.ts";
import { type AgentTimeouts, DEFAULT_TIMEOUTS } from "../turn/turn-clock.ts";
import { type ConfigReader, readConfig } from "./config-reader.ts";
import type { AdapterModes } from "./permission-modes.ts";

/** Settings that all adapters have. See agent-adapter: AgentConfig. */
export interface AgentSettings {
  /** Name of the adapter kind. */
  readonly kind: string;
  /** Configured command. `undefined` if none is configured. */
  readonly command?: string | readonly string[] | undefined;
  /** Default command of the agent. */
  readonly defaultCommand: string;
  /** Time limits. */
  readonly timeouts: AgentTimeouts;
  /**
   * Environment variables that the agent receives in addition to core ones such as `PATH`. Their values are masked in
   * all output.
   */
  readonly variables: Readonly<Record<string, Secret>>;
  /** Destination of the agent's model calls. `undefined` if the adapter does not report it. */
  readonly modelRoute?: ModelRoute | undefined;
  /**
   * Returns the environment variables of an agent whose model calls are redirected to an endpoint. `undefined` if the
   * adapter cannot redirect them.
   */
  readonly redirect?: ((endpoint: ModelEndpoint) => RedirectedVariables) | undefined;
  /** Environment variables that select the folders of the agent's state. See `AdapterDefinition`. */
  readonly stateFolders?: Readonly<Record<string, string>> | undefined;
  /** Capabilities of the agent. */
  readonly capabilities: AdapterCapabilities;
  /** Returns the time, in milliseconds since 1970. */
  readonly now: () => number;
  /** Returns a new UUID. */
  readonly createId: () => string;
}

/** Definition of an adapter, written by its author. */
export interface AdapterDefinition<Config> {
  /** Name of the kind, as used in configuration and on the command line. */
  readonly kind: string;
  /** Command to run if none is configured; empty if there is no default. */
  readonly defaultCommand: string;
  /** Capabilities of the agent. */
  readonly capabilities: AdapterCapabilities;
  /** Environment variables that authenticate the agent. They are passed to the agent if they are set on the host. */
  readonly credentials: readonly string[];
  /** How to install and authenticate the agent, and how to check that the agent is ready. */
  readonly checkup?: AgentCheckup | undefined;
  /**
   * Settings of the configuration block for each permission mode. `undefined` if the agent supports no permission
   * modes.
   */
  readonly modes?: AdapterModes | undefined;
  /** Reads the adapter's settings. Contract: records problems and throws nothing. */
  readonly readConfig: (reader: ConfigReader) => Config;
  /**
   * Returns the names of environment variables that the adapter's settings refer to. They are passed to the agent if
   * they are set on the host. Default: none.
   */
  readonly configuredVariables?: ((config: Config) => readonly string[]) | undefined;
  /**
   * How the model calls of the agent are redirected, for example to the model gateway of a host. A redirected agent
   * does not receive the variables that `configuredVariables` names. `undefined` if the adapter cannot redirect them.
   */
  readonly redirect?: ModelRedirect<Config> | undefined;
  /**
   * Environment variables that select the folders in which the agent stores its state, with a relative path for each
   * folder. They are set only in a sandbox, because the home folder is read-only there: each variable then names an
   * empty folder that is removed with the sandbox. A variable that already names a folder in the workspace is not
   * replaced. Default: none.
   */
  readonly stateFolders?: Readonly<Record<string, string>> | undefined;
  /** Creates the adapter. */
  readonly create: (settings: AgentSettings, config: Config) => AgentAdapter;
}

/** Options for creating an adapter. */
export interface CreateAdapterOptions {
  /**
   * Environment variables of the host, by name. The agent receives only variables that the definition or the
   * configuration names.
   */
  readonly variables?: Readonly<Record<string, Secret>> | undefined;
  /** Returns the time, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Creates ids. Default: random UUIDs. */
  readonly createId?: (() => string) | undefined;
}

/** An adapter kind, which creates adapters for one agent. Nothing runs before `create` is called. */
export interface AdapterKind {
  /** Name of the adapter kind. */
  readonly kind: string;
  /** True if a command must be configured. */
  readonly requiresCommand: boolean;
  /** Capabilities of the agent. */
  readonly capabilities: AdapterCapabilities;
  /** Environment variables that authenticate the agent. */
  readonly credentials: readonly string[];
  /** Command to run if none is configured; empty if there is no default. */
  readonly defaultCommand: string;
  /** How to install and authenticate the agent. */
  readonly checkup: AgentCheckup;
  /**
   * Settings of the configuration block for each permission mode. `undefined` if the agent supports no permission
   * modes.
   */
  readonly modes?: AdapterModes | undefined;
  /**
   * Returns the command that a configuration block sets; `undefined` if the block sets none. Throws `config.invalid`.
   */
  commandOf(block: unknown): string | readonly string[] | undefined;
  /**
   * Returns the names of the environment variables that a configuration block passes to the agent. Throws
   * `config.invalid`.
   */
  variableNames(block: unknown): readonly string[];
  /**
   * Returns the destination of the agent's model calls and, if they cannot be redirected, the reason. `undefined` if
   * the adapter does not report the destination. `variables` are environment variables of the host. The method is
   * missing in adapter kinds that an earlier version of this package created. Throws `config.invalid`.
   */
  modelRoute?(block: unknown, variables?: Readonly<Record<string, Secret>>): ModelRoute | undefined;
  /** Creates the adapter from a configuration block. Throws `config.invalid` before anything runs. */
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
 * Creates an adapter kind from its definition. Every kind has the settings `command`, `env` (names of variables to pass
 * on), `turn_timeout_ms`, `startup_timeout_ms`, `stall_timeout_ms`, `stop_grace_ms` and `result_grace_ms`. Throws
 * `adapter.kind_taken` if the name of the kind is empty. See agent-adapter: register the adapter.
 */
export function defineAdapter<Config>(definition: AdapterDefinition<Config>): AdapterKind {
  const { kind, defaultCommand, capabilities, credentials, modes, checkup = {}, configuredVariables } = definition;
  if (kind.trim() === "") throw new EngineError("adapter.kind_taken", { kind: "(empty)", problem: "it has no name" });
  const requiresCommand = defaultCommand.trim() === "";
  const read = (block: unknown): { common: CommonConfig; config: Config } =>
    readConfig(kind, block, (reader) => {
      const common = readCommon(reader);
      const config = definition.readConfig(reader);
      return { common: { ...common, names: [...common.names, ...(configuredVariables?.(config) ?? [])] }, config };
    });
  const readComplete = (block: unknown): ReturnType<typeof read> => {
    const found = read(block);
    if (!requiresCommand || found.common.command !== undefined) return found;
    throw new EngineError("config.invalid", { field: `${kind}.command`, problem: "it is required" });
  };
  const variableNames = (block: unknown): readonly string[] => [...credentials, ...read(block).common.names];
  const givenTo = (names: readonly string[], variables: GivenVariables): GivenVariables => {
    const named = new Set([...credentials, ...names]);
    return Object.fromEntries(Object.entries(variables).filter(([name]) => named.has(name)));
  };
  return {
    ...{ kind, requiresCommand, capabilities, credentials, defaultCommand, checkup, modes, variableNames },
    commandOf: (block) => read(block).common.command,
    modelRoute(block, variables = {}) {
      const { common, config } = read(block);
      return definition.redirect?.route(config, givenTo(common.names, variables));
    },
    create(block, { variables = {}, now = Date.now, createId = () => crypto.randomUUID() } = {}) {
      const { common, config } = readComplete(block);
      const given = givenTo(common.names, variables);
      const { command, timeouts } = common;
      const { stateFolders } = definition;
      const facts = { kind, command, defaultCommand, timeouts, capabilities, stateFolders };
      const settings = { ...facts, now, createId, variables: given };
      return definition.create({ ...settings, ...redirectOf(definition, config, given) }, config);
    },
  };
}

/** Returns the settings of an adapter that concern the redirection of model calls. */
function redirectOf<Config>(
  { redirect, configuredVariables }: AdapterDefinition<Config>,
  config: Config,
  given: GivenVariables,
): Pick<AgentSettings, "modelRoute" | "redirect"> {
  if (redirect === undefined) return {};
  const modelRoute = redirect.route(config, given);
  if (modelRoute.directReason !== undefined) return { modelRoute };
  const replaced = new Set([...redirect.replaces, ...(configuredVariables?.(config) ?? [])]);
  return {
    modelRoute,
    redirect: (endpoint) => redirectVariables(given, replaced, redirect.variables(endpoint, config, given)),
  };
}

/** Returns true if a value is an adapter kind, such as an export of a discovered package. */
export function isAdapterKind(value: unknown): value is AdapterKind {
  if (typeof value !== "object" || value === null) return false;
  const functions = ["create", "variableNames", "commandOf"].map((name) => Reflect.get(value, name));
  const [kind, checkup] = [Reflect.get(value, "kind"), Reflect.get(value, "checkup")];
  return typeof kind === "string" && typeof checkup === "object" && functions.every((one) => typeof one === "function");
}
