import type { Engine, ExecutionEnvironment } from "@switchyard/contracts";
import type { EnvironmentConfig } from "@switchyard/environment";
import type { EnvironmentRecord } from "../agent/model-choice.ts";
import type { AgentEngineConfig } from "../agent/open-agent-engine.ts";
import type { StartSessionOptions } from "../session/start-session-options.ts";

/** Options of {@link run}. All options of `startSession` are accepted too. */
export interface RunOptions extends Omit<StartSessionOptions, "engine" | "environment"> {
  /** Task for the engine: the user message of the session. */
  prompt: string;
  /**
   * Engine that does the work: an engine, `agent` for the built-in agent, a name in `registry`, or the path of an
   * engine configuration in YAML or JSON. Text with a slash or the extension of a YAML or JSON file is a path. Default:
   * `agent`.
   */
  engine?: string | Engine | undefined;
  /**
   * Environment in which the engine works: the path of a folder on this machine, an environment that you opened, or an
   * environment configuration. An environment that you opened stays open. Default: the current folder.
   */
  environment?: string | ExecutionEnvironment | EnvironmentConfig | undefined;
  /**
   * Environment variables, usually `process.env`. API keys are read from these variables, and commands in a local
   * folder receive them. Values of secret variables are masked in events and files. Default: none.
   */
  env?: EnvironmentRecord | undefined;
  /**
   * Model reference, `provider/name`. Default for the built-in agent: the default model of the first provider with a
   * key.
   */
  model?: string | undefined;
  /** Maximum number of model turns. Default: no limit. */
  maxTurns?: number | undefined;
  /** Time limit of the run, in seconds. Default: no limit. */
  timeoutSeconds?: number | undefined;
  /** Further options of the built-in agent, such as `approval`, `hooks` or `mcpServers`. Other engines ignore them. */
  agent?: Omit<AgentEngineConfig, "env" | "model" | "maxTurns" | "name"> | undefined;
  /**
   * Folder that stores the run, outside the workspace. The folder is created if it does not exist. Default: the folder
   * that the `switchyard` command uses, so that `switchyard runs` lists the run; see {@link defaultStateDirectory}. If
   * `store` is set, there is no default.
   */
  stateDirectory?: string | undefined;
}
