import { sep } from "node:path";
import type { EnvironmentConfig } from "@switchyard/environment";
import { AGENT_ENGINE, keyVariable } from "@switchyard/runner";
import {
  type ApprovalChoice,
  type ApprovalMode,
  approvalModeOf,
  environmentNameOf,
  type SettingsContext,
} from "@switchyard/settings";
import { plural, printRunHeader, type RunHeader, type TextOutput } from "@switchyard/terminal";
import type { EngineOptions } from "../engine/engine-request.ts";
import type { OpenedEngine } from "../engine/opened-engine.ts";

/** Run whose header is shown. */
export interface AnnouncedRun {
  /** Id of the run. */
  readonly runId: string;
  /** Opened engine. */
  readonly opened: OpenedEngine;
  /** Options with which the run was started. `model` is the model that the command line names. */
  readonly options: Pick<EngineOptions, "engine" | "model" | "mode"> & { readonly env?: string | undefined };
  /** Model of the session input. It comes from the command line, an environment variable or a settings file. */
  readonly inputModel?: string | undefined;
  /** The user's choice of which tool calls need approval. */
  readonly approvalChoice: ApprovalChoice;
  /** Configuration of the environment. */
  readonly environment: EnvironmentConfig;
  /** Folder that the run works in. */
  readonly workspace: string;
}

const MODES: Readonly<Record<ApprovalMode, string>> = {
  never: "never asks",
  "on-commands": "asks before commands",
  "on-writes": "asks before changes",
  always: "asks before every call",
  plan: "reads only",
};

/**
 * Prints the header of a run: model with price, engine, environment, permissions, network, folder and id. Prints
 * nothing unless the output is a terminal.
 */
export async function announceRun(output: TextOutput, host: SettingsContext, run: AnnouncedRun): Promise<void> {
  if (output.isTerminal) printRunHeader(output, await runHeaderOf(host, run));
}

/** Returns the facts that the header of a run shows. */
export async function runHeaderOf(host: SettingsContext, run: AnnouncedRun): Promise<RunHeader> {
  const { opened, options, environment, runId } = run;
  const model = run.inputModel ?? opened.model;
  return {
    ...{ model, runId, prices: await pricesOf(model, host.now()), modelReason: reasonOf(host, run) },
    engine: opened.engineName ?? options.engine,
    modelAccess: opened.modelAccess,
    environment: environmentNameOf(options),
    network: describeNetwork(environment),
    permissions: permissionsOf(run),
    folder: folderOf(host, run),
  };
}

async function pricesOf(model: string | undefined, nowMs: number): Promise<RunHeader["prices"]> {
  if (model === undefined) return undefined;
  const { getModelInfo, pricesAt } = await import("@switchyard/llm");
  const prices = getModelInfo(model)?.prices;
  return prices === undefined ? undefined : pricesAt(prices, nowMs);
}

/**
 * Returns why the run uses its model, such as `from SWITCHYARD_MODEL`. `undefined` if the command line names the model,
 * or if the reason is unknown.
 */
function reasonOf({ env }: SettingsContext, { opened, options, inputModel }: AnnouncedRun): string | undefined {
  if (options.model !== undefined) return undefined;
  if (inputModel !== undefined) return inputModel === env["SWITCHYARD_MODEL"] ? "from SWITCHYARD_MODEL" : undefined;
  if (opened.engineName !== AGENT_ENGINE || opened.model === undefined) return undefined;
  const variable = keyVariable(env, opened.model.split("/")[0] ?? "");
  return variable === undefined ? undefined : `default for ${variable}; --model changes it`;
}

/** Describes which network the commands of an environment can use, as a part of a sentence. */
export function describeNetwork(config: EnvironmentConfig): string {
  switch (config.type) {
    case "local":
      return "commands can use the network";
    case "sandbox":
      return config.network === "allow" ? "commands can use the network" : containerNetwork(config.network);
    case "memory":
      return "commands have no network";
    case "docker":
      return config.image === undefined ? "network of the container" : containerNetwork(config.network);
    case "kubernetes":
      return config.image === undefined ? "network of the pod" : "network of the cluster";
    default:
      return "network of the host";
  }
}

function containerNetwork(network = "none"): string {
  if (network === "none") return "commands have no network";
  if (network.startsWith("list:")) return `commands reach only ${network.slice("list:".length).replaceAll(",", ", ")}`;
  return network === "bridge" ? "commands can use the network" : `network ${network}`;
}

function permissionsOf({ approvalChoice, options, opened }: AnnouncedRun): string[] {
  const { allow = [], deny = [] } = approvalChoice;
  const isAgent = (opened.engineName ?? options.engine) === AGENT_ENGINE;
  if (!isAgent && options.mode === undefined) return ["as the engine is configured", "--mode plan reads only"];
  const mode = approvalModeOf(approvalChoice);
  return [
    MODES[mode],
    ...(allow.length === 0 ? [] : [plural(allow.length, "allow rule")]),
    ...(deny.length === 0 ? [] : [plural(deny.length, "deny rule")]),
    ...(approvalChoice.approve === undefined && mode === "never" ? ["--mode ask asks before changes"] : []),
  ];
}

/** Returns the folder with `~` for the user's home folder. */
function folderOf({ homeDirectory }: SettingsContext, { environment, workspace }: AnnouncedRun): string {
  const isHome = homeDirectory !== undefined && workspace.startsWith(`${homeDirectory}${sep}`);
  const shown = isHome ? `~${workspace.slice(homeDirectory.length)}` : workspace;
  switch (environment.type) {
    case "ssh":
      return environment.workingDirectory ?? "the home folder on the host";
    case "memory":
      return `a copy of ${shown}`;
    case "docker":
    case "kubernetes":
      if (environment.image === undefined) return environment.workingDirectory ?? "the container's folder";
      return environment.type === "kubernetes" ? `a copy of ${shown}` : shown;
    default:
      return shown;
  }
}
