import type { ClientProgram } from "../client/client-program.ts";
import { checkUser } from "./container-arguments.ts";
import type { EngineFlavour } from "./container-engine.ts";
import { RESPONSE_TIMEOUT_MS } from "./container-engine.ts";
import { ROOT_USER } from "./needs-home.ts";

/** User and group of a process on the host. */
export interface HostUser {
  readonly uid: number;
  readonly gid: number;
}

/** How the user of a container is chosen. */
export interface ContainerUserOptions {
  /** As it was configured: `caller`, `image`, or a user. */
  readonly user: string | undefined;
  /** Whether a folder of the host is mounted. */
  readonly hasWorkspace: boolean;
  readonly flavour: EngineFlavour;
  /** User of this process; `undefined` on systems without user numbers. */
  readonly caller: HostUser | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The user that commands of a container run as, in the engine's form; `undefined` is the user of the image. By default this is
 * the caller if a folder of the host is mounted, so that files have the same owner inside and outside. Throws `config.invalid`.
 */
export async function findContainerUser(
  engine: ClientProgram,
  options: ContainerUserOptions,
): Promise<string | undefined> {
  const { user = options.hasWorkspace ? "caller" : "image" } = options;
  if (user === "image") return undefined;
  if (user !== "caller") return checkUser(user);
  if (options.caller === undefined) return undefined;
  const mapping = await askMapping(engine, options);
  if (mapping === "unknown") return undefined;
  return mapping === "rootless" ? ROOT_USER : `${options.caller.uid}:${options.caller.gid}`;
}

/** The user of this process. */
export function currentUser(): HostUser | undefined {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}

/**
 * How the engine maps users: not at all, or root of a container to the user that the engine runs as. With a mapping of another
 * kind (`userns-remap`) no user of a container is the caller.
 */
async function askMapping(
  engine: ClientProgram,
  { flavour, signal }: ContainerUserOptions,
): Promise<"none" | "rootless" | "unknown"> {
  const format =
    flavour === "podman" ? "rootless={{.Host.Security.Rootless}}" : "{{json .SecurityOptions}} {{.OperatingSystem}}";
  const { exitCode, stdout } = await engine.run(["info", "--format", format], {
    signal,
    timeoutMs: RESPONSE_TIMEOUT_MS,
  });
  signal?.throwIfAborted();
  if (exitCode !== 0) return "unknown";
  // Docker Desktop gives files that root of a container makes to the user of the machine.
  if (/rootless=true|name=rootless|Docker Desktop/.test(stdout)) return "rootless";
  return /name=userns/.test(stdout) ? "unknown" : "none";
}
