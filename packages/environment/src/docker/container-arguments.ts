import { EngineError } from "@switchyard/contracts";
import { checkAmount, checkImage, checkRemotePath, checkSetting } from "../client/check-setting.ts";
import { DEFAULT_WORKING_DIRECTORY, KEEP_ALIVE } from "../client/keep-alive.ts";
import type { EnvironmentProxy } from "../environment-options.ts";
import { OWNER_LABELS } from "../owner/owner-labels.ts";
import { PROXY_SOCKET } from "../relay/relay-command.ts";
import type { EngineFlavour } from "./container-engine.ts";
import type { DockerImageOptions } from "./docker-options.ts";
import { findGitMount } from "./git-mount.ts";
import { needsHome, ROOT_USER } from "./needs-home.ts";

const CPU_PERIOD_US = 100_000;

/** Name, user, workspace path and client arguments of a container that will be created. */
export interface ContainerPlan {
  /** Name of the container. */
  readonly name: string;
  /** User that runs commands. `undefined`: the image's user. */
  readonly user: string | undefined;
  /** Path of the workspace in the container. */
  readonly workingDirectory: string;
  /** Arguments for the commands `run` and `create` of `docker` or `podman`. */
  readonly args: readonly string[];
}

/** Volumes of a new container, besides the workspace. */
export interface ContainerVolumes {
  /**
   * Empty volumes: the key is the path at which a volume is mounted, the value is its name. A volume hides the image's
   * files at its path.
   */
  readonly empty?: Readonly<Record<string, string>> | undefined;
  /** Name or id of another container. Its volumes are also mounted in the new container, at the same paths. */
  readonly from?: string | undefined;
}

/** Owner of a new container (a run and a process), and the vendor of the container engine. */
export interface ContainerOwner {
  /** Identifier of the run, part of the container's name. */
  readonly mark: string;
  /** Token of this process. */
  readonly token: string;
  readonly flavour: EngineFlavour;
  /** User that runs commands. `undefined`: the image's user. */
  readonly user: string | undefined;
  readonly volumes?: ContainerVolumes | undefined;
}

/**
 * Returns the arguments and settings with which a container is created. Throws `config.invalid` for an invalid setting.
 */
export function planContainer(
  options: DockerImageOptions,
  { mark, token, flavour, user, volumes }: ContainerOwner,
): ContainerPlan {
  const workingDirectory = checkRemotePath("workingDirectory", options.workingDirectory ?? DEFAULT_WORKING_DIRECTORY);
  const name = `switchyard-${mark}`;
  // Podman creates a missing working directory only if the image sets it as its working directory. Otherwise Podman
  // fails.
  const isImageDefault = options.usesImageFiles === true && options.workingDirectory === undefined;
  const args = [
    ...["--name", name],
    ...["--label", `${OWNER_LABELS.owner}=${token}`, "--label", `${OWNER_LABELS.mark}=${mark}`],
    ...["--pull", options.pull ?? "missing", "--stop-timeout", "1", "--security-opt", "no-new-privileges"],
    // Prevents Podman from passing the host's proxy variables to the container, because these may contain a password.
    ...(flavour === "podman" ? ["--http-proxy=false"] : []),
    ...limitArguments(options),
    ...(options.readOnlyRoot === true ? ["--read-only", "--tmpfs", "/tmp:exec,mode=1777"] : []),
    // The first process runs as root if root must create a home folder: engines otherwise drop root's capabilities.
    ...(user === undefined ? [] : ["--user", needsHome(user) ? ROOT_USER : user]),
    ...(isImageDefault ? [] : ["--workdir", workingDirectory]),
    ...(options.proxy === undefined ? [] : ["--mount", proxyMount(options.proxy)]),
    ...[...mountArguments(options, workingDirectory), ...volumeArguments(volumes)],
    ...["--entrypoint", "sh", "--", checkImage(options.image), "-c", KEEP_ALIVE],
  ];
  return { name, user, workingDirectory, args };
}

function limitArguments(options: DockerImageOptions): string[] {
  const rule = { field: "memory", pattern: /^[1-9]\d*(?:\.\d+)?[bkmg]?$/i, expected: "a size like `512m` or `2g`" };
  const memory = checkSetting(options.memory ?? "2g", rule);
  // The CPU limit is set as a quota, because `--cpus` is rejected if the machine has fewer processors.
  const quota = Math.max(1000, Math.round(checkAmount("cpus", options.cpus ?? 2, false) * CPU_PERIOD_US));
  const { network: chosen = "none", proxy } = options;
  if (proxy !== undefined && chosen !== "none" && !chosen.startsWith("list:"))
    throw new EngineError("config.invalid", { field: "proxy", problem: "it needs the network `none`" });
  const network = checkSetting(chosen.startsWith("list:") ? "none" : chosen, {
    field: "network",
    pattern: /^[A-Za-z0-9][\w.:-]*$/,
    expected: "the name of a network",
  });
  return [
    ...["--memory", memory, "--memory-swap", memory],
    ...["--cpu-period", String(CPU_PERIOD_US), "--cpu-quota", String(quota)],
    ...["--pids-limit", String(checkAmount("pids", options.pids ?? 512, true))],
    ...["--network", network],
  ];
}

function proxyMount({ socketPath }: EnvironmentProxy): string {
  return csv(["type=bind", `source=${socketPath}`, `target=${PROXY_SOCKET}`, "readonly"]);
}

function mountArguments({ workspace, usesImageFiles }: DockerImageOptions, target: string): string[] {
  if (usesImageFiles === true) return [];
  // An anonymous volume is removed with its container, and stays writable if the root file system is read-only.
  if (workspace === undefined) return ["--mount", csv(["type=volume", `target=${target}`])];
  const git = findGitMount(workspace, target);
  return [
    ...["--mount", csv(["type=bind", `source=${workspace}`, `target=${target}`])],
    ...(git === undefined
      ? []
      : ["--mount", csv(["type=bind", `source=${git.source}`, `target=${git.target}`, "readonly"])]),
  ];
}

function volumeArguments({ empty = {}, from }: ContainerVolumes = {}): string[] {
  // `nocopy` keeps the volume empty. Engines otherwise copy the files that the image has at the path.
  const mounted = Object.entries(empty).flatMap(([path, name]) => ["--volume", `${name}:${path}:nocopy`]);
  return [...mounted, ...(from === undefined ? [] : ["--volumes-from", from])];
}

/** Joins fields to the comma-separated value that container clients expect for `--mount`. */
function csv(fields: readonly string[]): string {
  return fields.map((field) => (/[",]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(",");
}

/** Validates the name or id of a container. Throws `config.invalid`. */
export function checkContainer(container: string): string {
  const pattern = /^[A-Za-z0-9][\w.-]*$/;
  return checkSetting(container, { field: "container", pattern, expected: "the name or id of a container" });
}

/** Validates a user. Throws `config.invalid`. */
export function checkUser(user: string): string {
  const pattern = /^[A-Za-z0-9_][\w.-]*(?::[A-Za-z0-9_][\w.-]*)?$/;
  return checkSetting(user, { field: "user", pattern, expected: "a user, `NAME`, `UID` or `UID:GID`" });
}
