import { resolve } from "node:path";
import type { EnvironmentConfig } from "@switchyard/environment";
import type { CommandContext } from "../context/command-context.ts";
import { usageError } from "../program/usage-error.ts";
import type { EnvironmentOptions } from "./environment-options.ts";
import { type Place, parsePlace } from "./parse-place.ts";

/** Environment options of a run, with its workspace. They are stored with the run. */
export interface EnvironmentChoice extends EnvironmentOptions {
  /** Folder on this machine that is the workspace, or is copied into the environment. */
  workspace?: string | undefined;
}

/** What else the environment of a command needs. */
export interface EnvironmentRequester {
  /** Name of the command behind `switchyard`, for messages. */
  command: string;
  /** Whether the folder was typed, and not only the one the command was started in. */
  isWorkspaceGiven: boolean;
  /** Folder in which this command keeps its runs. */
  stateDirectory?: string | undefined;
}

/**
 * The configuration of the environment that was chosen. Throws `usage.invalid` for options that do not go with the
 * place.
 */
export function toEnvironmentConfig(
  context: CommandContext,
  choice: EnvironmentChoice,
  requester: EnvironmentRequester,
): EnvironmentConfig {
  const place = parsePlace(choice.env ?? "local");
  if ("problem" in place)
    throw usageError(`--env ${choice.env ?? ""} names no place. ${place.problem}`, requester.command);
  checkOptions(place, choice, requester);
  const root = resolve(context.workingDirectory, choice.workspace ?? ".");
  const hostEnv = context.env;
  switch (place.type) {
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
      const { host, user, port, folder: workingDirectory } = place;
      return { type: "ssh", host, user, port, workingDirectory, hostEnv };
    }
    case "docker":
      if ("container" in place) {
        const { container, folder: workingDirectory } = place;
        return { type: "docker", container, workingDirectory, user: choice.envUser, hostEnv };
      }
      return { ...newContainer(place.image, choice), type: "docker", workspace: root, hostEnv };
    default:
      if ("pod" in place) {
        const { pod, container, folder: workingDirectory } = place;
        return { type: "kubernetes", pod, container, workingDirectory, hostEnv };
      }
      return {
        type: "kubernetes",
        image: place.image,
        memory: kubernetesSize(choice.envMemory),
        workspace: root,
        hostEnv,
      };
  }
}

function newContainer(image: string, { envMemory: memory, envNetwork: network, envUser: user }: EnvironmentChoice) {
  // Docker and Podman both call the network with access to other hosts `bridge`.
  return { image, memory, user, network: network === "allow" ? "bridge" : network };
}

function kubernetesSize(memory: string | undefined): string | undefined {
  return memory === undefined ? undefined : `${memory.slice(0, -1)}${memory.endsWith("g") ? "Gi" : "Mi"}`;
}

function checkOptions(
  place: Place,
  choice: EnvironmentChoice,
  { command, isWorkspaceGiven }: EnvironmentRequester,
): void {
  const named = choice.env ?? "local";
  const isDockerImage = place.type === "docker" && "image" in place;
  const isImage = "image" in place;
  if (choice.envNetwork !== undefined) {
    if (place.type !== "sandbox" && !isDockerImage) {
      throw usageError(`--env-network goes with --env sandbox or docker:IMAGE, not with ${named}.`, command);
    }
    if (place.type === "sandbox" && choice.envNetwork !== "none" && choice.envNetwork !== "allow") {
      throw usageError("The network of a sandbox is none or allow.", command);
    }
  }
  if (choice.envMemory !== undefined && !isImage) {
    throw usageError(`--env-memory goes with --env docker:IMAGE or k8s:IMAGE, not with ${named}.`, command);
  }
  if (choice.envUser !== undefined && place.type !== "docker") {
    throw usageError(`--env-user goes with --env docker:IMAGE or docker:@CONTAINER, not with ${named}.`, command);
  }
  if (isWorkspaceGiven && isElsewhere(place)) {
    throw usageError(
      `Write the folder behind the place, not with --workspace: --env ${named}${example(place)}.`,
      command,
    );
  }
}

/** Whether the workspace in a place is a folder of this machine, or a copy of one. */
export function isOfThisMachine(named: string): boolean {
  const place = parsePlace(named);
  return !("problem" in place) && !isElsewhere(place);
}

/** Whether the workspace is a folder of another machine, container or pod. */
function isElsewhere(place: Place): boolean {
  return place.type === "ssh" || "container" in place || "pod" in place;
}

function example(place: Place): string {
  if ("folder" in place && place.folder !== undefined) return "";
  return place.type === "ssh" ? "/srv/project" : ":/srv/project";
}

/** A container that is pulled, and a pod that is waited for, are given up when the signal fires. */
export function withSignal(config: EnvironmentConfig, signal: AbortSignal): EnvironmentConfig {
  return config.type === "docker" || config.type === "kubernetes" ? { ...config, signal } : config;
}
