import { EngineError, messageOf } from "@switchyard/contracts";
import { type EnvironmentConfig, type EnvironmentName, parseEnvironmentName } from "@switchyard/environment";
import { isEgressList, parseEgressRules } from "@switchyard/gateway/egress-rules";
import { environmentNameOf } from "./default-environment.ts";
import type { EnvironmentSelection } from "./environment-selection.ts";

/** Reason why the settings of an environment cannot be used. */
export type EnvironmentProblem =
  | {
      /** The name does not identify a known type of environment. */
      readonly kind: "name";
      /** Sentence that describes the valid form of the name. */
      readonly problem: string;
    }
  | {
      /** A setting cannot be used with this environment. */
      readonly kind: "setting";
      /** The setting. */
      readonly setting: "env_network" | "env_memory" | "env_user";
      /** Names of the environments with which the setting can be used. */
      readonly appliesTo: readonly string[];
    }
  | {
      /** The value of the network setting cannot be used with a sandbox. */
      readonly kind: "network";
      /** The values that can be used. */
      readonly allowed: readonly string[];
    }
  | {
      /** The network setting is an invalid list of hosts. */
      readonly kind: "list";
      /** What is wrong with the list, without a full stop. */
      readonly problem: string;
    }
  | {
      /**
       * The user has named a folder of this machine as workspace, but the environment uses files of another machine, or
       * of an existing container or pod.
       */
      readonly kind: "workspace";
      /**
       * Text that can be appended to the environment's name to select a folder in that environment, with an example.
       * Empty if the name already contains a folder.
       */
      readonly example: string;
    };

/** Data of the host program that creates the environment of a run. */
export interface EnvironmentHost {
  /** Environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder that stores the runs. Sandboxes hide it from commands. */
  readonly stateDirectory?: string | undefined;
}

/**
 * Checks the settings of an environment. Returns the problem, or `undefined` if they can be used. `isWorkspaceGiven` is
 * true if the user named the workspace, and false if it is the current folder by default.
 */
export function environmentProblem(
  selection: EnvironmentSelection,
  { isWorkspaceGiven = false }: { readonly isWorkspaceGiven?: boolean } = {},
): EnvironmentProblem | undefined {
  const parsed = parseEnvironmentName(environmentNameOf(selection));
  if ("problem" in parsed) return { kind: "name", problem: parsed.problem };
  const { envNetwork: network, envMemory: memory, envUser: user } = selection;
  const isImage = "image" in parsed;
  const takesNetwork = parsed.type === "sandbox" || (parsed.type === "docker" && isImage);
  if (network !== undefined && !takesNetwork)
    return { kind: "setting", setting: "env_network", appliesTo: ["sandbox", "docker:IMAGE"] };
  if (network !== undefined && isEgressList(network)) {
    const problem = listProblem(network);
    if (problem !== undefined) return { kind: "list", problem };
  } else if (network !== undefined && parsed.type === "sandbox" && network !== "none" && network !== "allow")
    return { kind: "network", allowed: ["none", "allow", "list:HOST,…"] };
  if (memory !== undefined && !isImage)
    return { kind: "setting", setting: "env_memory", appliesTo: ["docker:IMAGE", "k8s:IMAGE"] };
  if (user !== undefined && parsed.type !== "docker")
    return { kind: "setting", setting: "env_user", appliesTo: ["docker:IMAGE", "docker:@CONTAINER"] };
  return isWorkspaceGiven && isElsewhere(parsed) ? { kind: "workspace", example: example(parsed) } : undefined;
}

/**
 * Converts the settings of an environment to its configuration. `root` is the absolute path of the workspace on this
 * machine. Throws `config.invalid` if the settings cannot be used.
 */
export function environmentConfigOf(
  selection: EnvironmentSelection,
  root: string,
  host: EnvironmentHost,
): EnvironmentConfig {
  const env = environmentNameOf(selection);
  const parsed = parseEnvironmentName(env);
  if ("problem" in parsed) throw new EngineError("config.invalid", { field: "env", problem: parsed.problem });
  const found = environmentProblem(selection);
  if (found?.kind === "setting") {
    const problem = `it is only for ${found.appliesTo.join(" and ")}, not for ${env}`;
    throw new EngineError("config.invalid", { field: found.setting, problem });
  }
  if (found?.kind === "network") {
    const problem = `it must be ${found.allowed.join(" or ")} for a sandbox`;
    throw new EngineError("config.invalid", { field: "env_network", problem });
  }
  if (found?.kind === "list") throw new EngineError("config.invalid", { field: "env_network", problem: found.problem });
  const { env: hostEnv, stateDirectory } = host;
  switch (parsed.type) {
    case "local":
      return { type: "local", root, env: hostEnv };
    case "sandbox": {
      return {
        type: "sandbox",
        root,
        env: hostEnv,
        network: sandboxNetwork(selection.envNetwork),
        stateDirectory,
      };
    }
    case "memory":
      return { type: "memory", workspace: root, hostEnv };
    case "ssh": {
      const { host, user, port, folder: workingDirectory } = parsed;
      return { type: "ssh", host, user, port, workingDirectory, hostEnv };
    }
    case "docker":
      if ("container" in parsed) {
        const { container, folder: workingDirectory } = parsed;
        return { type: "docker", container, workingDirectory, user: selection.envUser, hostEnv };
      }
      return { ...newContainer(parsed.image, selection), type: "docker", workspace: root, hostEnv };
    default:
      if ("pod" in parsed) {
        const { pod, container, folder: workingDirectory } = parsed;
        return { type: "kubernetes", pod, container, workingDirectory, hostEnv };
      }
      return {
        type: "kubernetes",
        image: parsed.image,
        memory: kubernetesSize(selection.envMemory),
        workspace: root,
        hostEnv,
      };
  }
}

function sandboxNetwork(network: string | undefined): "none" | "allow" | `list:${string}` {
  if (network?.startsWith("list:")) return `list:${network.slice("list:".length)}`;
  return network === "allow" ? "allow" : "none";
}

/** Returns what is wrong with a list of hosts. `undefined` if the list is valid. */
function listProblem(list: string): string | undefined {
  try {
    parseEgressRules(list);
    return undefined;
  } catch (error) {
    return EngineError.is(error) ? String(error.details["problem"]) : messageOf(error);
  }
}

function newContainer(image: string, { envMemory: memory, envNetwork: network, envUser: user }: EnvironmentSelection) {
  // In Docker and Podman, the network `bridge` allows connections to other hosts.
  return { image, memory, user, network: network === "allow" ? "bridge" : network };
}

function kubernetesSize(memory: string | undefined): string | undefined {
  return memory === undefined ? undefined : `${memory.slice(0, -1)}${memory.endsWith("g") ? "Gi" : "Mi"}`;
}

/** Returns true if the workspace is a folder of this machine, or a copy of one. */
export function isOfThisMachine(named: string): boolean {
  const parsed = parseEnvironmentName(named);
  return !("problem" in parsed) && !isElsewhere(parsed);
}

/** Returns true if the workspace is a folder of another machine, or of an existing container or pod. */
function isElsewhere(parsed: EnvironmentName): boolean {
  return parsed.type === "ssh" || "container" in parsed || "pod" in parsed;
}

function example(parsed: EnvironmentName): string {
  if ("folder" in parsed && parsed.folder !== undefined) return "";
  return parsed.type === "ssh" ? "/srv/project" : ":/srv/project";
}

/** Adds an abort signal to an environment configuration. It cancels pulling an image or waiting for a pod. */
export function withSignal(config: EnvironmentConfig, signal: AbortSignal): EnvironmentConfig {
  return config.type === "docker" || config.type === "kubernetes" ? { ...config, signal } : config;
}
