import type { ClientProgram } from "../client/client-program.ts";
import { checkUser } from "./container-arguments.ts";
import type { EngineFlavour } from "./container-engine.ts";
import { detectFlavour, RESPONSE_TIMEOUT_MS } from "./container-engine.ts";
import { ROOT_USER } from "./needs-home.ts";

/** User and group of a process on the host. */
export interface HostUser {
  readonly uid: number;
  readonly gid: number;
}

/** Options that determine the user of a container. */
export interface ContainerUserOptions {
  /** Configured user of the container: `caller`, `image`, or the user's name or id. */
  readonly user: string | undefined;
  /** True if a folder of the host is mounted. */
  readonly hasWorkspace: boolean;
  /** Vendor of the engine. By default, the client program is asked if it matters. */
  readonly flavour?: EngineFlavour | undefined;
  /** User and group of this process. `undefined` on systems without numeric user ids. */
  readonly caller: HostUser | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Resolves with the user that runs commands in a container, in the engine's format. `undefined`: the image's user.
 * By default, the user is the caller if a host folder is mounted, so that files have the same owner inside and outside
 * the container. Throws `config.invalid`.
 */
export async function findContainerUser(
  engine: ClientProgram,
  options: ContainerUserOptions,
): Promise<string | undefined> {
  const { user = options.hasWorkspace ? "caller" : "image" } = options;
  if (user === "image") return undefined;
  if (user !== "caller") return checkUser(user);
  if (options.caller === undefined) return undefined;
  const mapping = await detectUserMapping(engine, options);
  if (mapping === "unknown") return undefined;
  return mapping === "rootless" ? ROOT_USER : `${options.caller.uid}:${options.caller.gid}`;
}

/** Returns the user of this process. */
export function currentUser(): HostUser | undefined {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}

/**
 * Asks how the container engine maps user ids. `none`: not at all. `rootless`: the container's root is the user that
 * runs the engine. `unknown`: another mapping (`userns-remap`), in which no container user corresponds to the caller.
 */
async function detectUserMapping(
  engine: ClientProgram,
  { flavour: known, signal }: ContainerUserOptions,
): Promise<"none" | "rootless" | "unknown"> {
  const flavour = known ?? (await detectFlavour(engine, signal));
  const format =
    flavour === "podman" ? "rootless={{.Host.Security.Rootless}}" : "{{json .SecurityOptions}} {{.OperatingSystem}}";
  const { exitCode, stdout } = await engine.run(["info", "--format", format], {
    signal,
    timeoutMs: RESPONSE_TIMEOUT_MS,
  });
  signal?.throwIfAborted();
  if (exitCode !== 0) return "unknown";
  // In Docker Desktop, files created by the container's root belong to the machine's user.
  if (/rootless=true|name=rootless|Docker Desktop/.test(stdout)) return "rootless";
  return /name=userns/.test(stdout) ? "unknown" : "none";
}
