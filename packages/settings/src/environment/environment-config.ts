import { resolve } from "node:path";
import { type EnvironmentConfig, type EnvironmentName, parseEnvironmentName } from "@switchyard/environment";
import type { CommandContext } from "../context/command-context.ts";
import { usageError } from "../program/usage-error.ts";
import type { EnvironmentOptions } from "./environment-options.ts";

/** Environment options and workspace of a run. They are stored with the run. */
export interface EnvironmentChoice extends EnvironmentOptions {
  /**
   * Folder on this machine that contains the workspace. Some environments work in the folder itself, others in a copy.
   */
  workspace?: string | undefined;
}

/** Command that opens an environment. */
export interface EnvironmentRequester {
  /** Name of the command, for messages. */
  command: string;
  /** Whether the workspace was given on the command line. If not, the workspace is the current folder. */
  isWorkspaceGiven: boolean;
  /** Folder that stores the runs. */
  stateDirectory?: string | undefined;
}

/**
 * Converts environment options to an environment configuration. Throws `usage.invalid` if an option does not apply to
 * the selected environment.
 */
export function toEnvironmentConfig(
  context: CommandContext,
  choice: EnvironmentChoice,
  requester: EnvironmentRequester,
): EnvironmentConfig {
  const parsed = parseEnvironmentName(choice.env ?? "local");
  if ("problem" in parsed)
    throw usageError(`--env ${choice.env ?? ""} is not an environment. ${parsed.problem}`, requester.command);
  checkOptions(parsed, choice, requester);
  const root = resolve(context.workingDirectory, choice.workspace ?? ".");
  const hostEnv = context.env;
  switch (parsed.type) {
    case "local":
      return { type: "local", root, env: context.env };
    case "sandbox": {
      const { stateDirectory } = requester;
      return {
        type: "sandbox",
        root,
        env: context.env,
        network: choice.envNetwork === "allow" ? "allow" : "none",
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
        return { type: "docker", container, workingDirectory, user: choice.envUser, hostEnv };
      }
      return { ...newContainer(parsed.image, choice), type: "docker", workspace: root, hostEnv };
    default:
      if ("pod" in parsed) {
        const { pod, container, folder: workingDirectory } = parsed;
        return { type: "kubernetes", pod, container, workingDirectory, hostEnv };
      }
      return {
        type: "kubernetes",
        image: parsed.image,
        memory: kubernetesSize(choice.envMemory),
        workspace: root,
        hostEnv,
      };
  }
}

function newContainer(image: string, { envMemory: memory, envNetwork: network, envUser: user }: EnvironmentChoice) {
  // In Docker and Podman, `bridge` is the network that can reach other hosts.
  return { image, memory, user, network: network === "allow" ? "bridge" : network };
}

function kubernetesSize(memory: string | undefined): string | undefined {
  return memory === undefined ? undefined : `${memory.slice(0, -1)}${memory.endsWith("g") ? "Gi" : "Mi"}`;
}

function checkOptions(
  parsed: EnvironmentName,
  choice: EnvironmentChoice,
  { command, isWorkspaceGiven }: EnvironmentRequester,
): void {
  const named = choice.env ?? "local";
  const isDockerImage = parsed.type === "docker" && "image" in parsed;
  const isImage = "image" in parsed;
  if (choice.envNetwork !== undefined) {
    if (parsed.type !== "sandbox" && !isDockerImage) {
      throw usageError(`--env-network is for --env sandbox or docker:IMAGE, not ${named}.`, command);
    }
    if (parsed.type === "sandbox" && choice.envNetwork !== "none" && choice.envNetwork !== "allow") {
      throw usageError("--env-network is none or allow for a sandbox.", command);
    }
  }
  if (choice.envMemory !== undefined && !isImage) {
    throw usageError(`--env-memory is for --env docker:IMAGE or k8s:IMAGE, not ${named}.`, command);
  }
  if (choice.envUser !== undefined && parsed.type !== "docker") {
    throw usageError(`--env-user is for --env docker:IMAGE or docker:@CONTAINER, not ${named}.`, command);
  }
  if (isWorkspaceGiven && isElsewhere(parsed)) {
    throw usageError(
      `Append the folder to the environment instead of --workspace: --env ${named}${example(parsed)}.`,
      command,
    );
  }
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

/** Adds a signal to an environment configuration. The signal cancels pulling an image or waiting for a pod. */
export function withSignal(config: EnvironmentConfig, signal: AbortSignal): EnvironmentConfig {
  return config.type === "docker" || config.type === "kubernetes" ? { ...config, signal } : config;
}
