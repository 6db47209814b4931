import { lstatSync, rmSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { resolve } from "node:path";
import { EngineError } from "@switchyard/contracts";
import type { EnvironmentProxy } from "../../environment-options.ts";
import {
  PROXY_SOCKET,
  RELAY_PORT,
  type RelayedPort,
  type RelayProgram,
  relayCommand,
} from "../../relay/relay-command.ts";
import type { ContainedCommand, Containment } from "../process/containment.ts";
import type { WorkspaceGuard } from "../workspace/pin-path.ts";
import { isAtOrBelow, renderNamespaceCommand, renderSandboxMounts } from "./bubblewrap-arguments.ts";
import type { CommandContext } from "./find-command.ts";
import { assertCommandExists } from "./find-command.ts";
import { listHiddenPaths, realOf } from "./hidden-paths.ts";
import { isPlaceholderAt } from "./placeholder.ts";
import type { PlaceholderRegistry } from "./placeholder-registry.ts";
import { createPlaceholderRegistry } from "./placeholder-registry.ts";
import type { Protection } from "./protected-paths.ts";
import { PROTECTED_HOME_NAMES, PROTECTED_NAMES, planProtection, stepsTo } from "./protected-paths.ts";
import type { Repositories } from "./repositories.ts";
import { findRepositories, findWorkingTrees } from "./repositories.ts";
import { createSandboxSockets, type SandboxSockets } from "./sandbox-sockets.ts";
import type { PrivateFolder } from "./state-folder.ts";
import { openPrivateFolder, openStateFolder } from "./state-folder.ts";

/**
 * Rules of a sandbox. Paths are relative to the workspace, except `hide` and `reveal`, which are relative to the home
 * folder.
 */
export interface SandboxRules {
  readonly network: "none" | "allow";
  readonly writable: readonly string[];
  readonly hide: readonly string[];
  readonly reveal: readonly string[];
  readonly protect: readonly string[];
  readonly unprotect: readonly string[];
}

/** Settings of a sandbox. */
export interface SandboxSettings {
  /** Real path of the workspace. */
  readonly root: string;
  readonly rules: SandboxRules;
  /** Home folder that commands see as HOME. `undefined` if HOME is not set. */
  readonly home: string | undefined;
  /** Path of bubblewrap. */
  readonly program: string;
  readonly drainMs: number;
  /** Proxy through which commands reach a network. `undefined`: none. */
  readonly proxy?: EnvironmentProxy | undefined;
  /** Program that makes the proxy and exposed sockets reachable for commands. */
  readonly relay: RelayProgram;
}

/** A sandbox: restricts commands, and decides which paths are inaccessible for commands and file operations. */
export interface Sandbox extends Containment, WorkspaceGuard, AsyncDisposable {
  /** True if a hidden path is inside the workspace. */
  readonly hidesInside: boolean;
  /** Sockets of this machine to which commands can connect. */
  readonly sockets: SandboxSockets;
  /** Waits until the resources of finished commands are released. */
  settled(): Promise<void>;
}

/** Arguments of bubblewrap that create namespaces and drop capabilities. */
type Namespaces = readonly string[];

/**
 * Capabilities that commands of root keep, so that they can access files of other users as they can without a sandbox.
 */
const ROOT_POWERS = ["CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID"].flatMap((name) => ["--cap-add", `CAP_${name}`]);
const SEPARATE_NAMESPACES = ["--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"] as const;

/** Opens the sandbox of a workspace. Does not test whether bubblewrap works. */
export async function openSandbox(settings: SandboxSettings, namespaces: Namespaces): Promise<Sandbox> {
  const state = await openStateFolder(tmpdir());
  const folders = await openPrivateFolder(state);
  try {
    const placeholders = createPlaceholderRegistry(state, settings.root);
    const paths = await listPaths(settings, state);
    const sockets = createSandboxSockets(folders.sockets);
    const sandbox = createSandbox({ settings, namespaces, folders, placeholders, paths, sockets });
    await placeholders.sweep(planProtection(settings.root, paths.guard().guarded).missing);
    return sandbox;
  } catch (error) {
    await folders[Symbol.asyncDispose]();
    throw error;
  }
}

/**
 * Returns the namespaces to try, preferred ones first. For root, the preferred one is not a user namespace, because
 * other users' files would appear to belong to `nobody` there.
 */
export function listNamespaces(network: SandboxRules["network"]): readonly Namespaces[] {
  const common = [...SEPARATE_NAMESPACES, ...(network === "none" ? ["--unshare-net"] : [])];
  const ofUser = ["--unshare-user", ...common];
  if (process.getuid?.() !== 0) return [ofUser];
  return [[...common, "--cap-drop", "ALL", ...ROOT_POWERS], ofUser];
}

interface SandboxPaths {
  readonly hidden: readonly string[];
  readonly writable: readonly string[];
  /** Returns the paths that commands must not change, for the current state of the disk. */
  guard(): Repositories;
}

async function listPaths({ root, rules, home }: SandboxSettings, state: string): Promise<SandboxPaths> {
  const homes = [...new Set([home, homeOfUser()].flatMap((path) => (path === undefined ? [] : [resolve(root, path)])))];
  const secrets = listHiddenPaths({ homes, hide: rules.hide, reveal: rules.reveal });
  const trees = findWorkingTrees(root);
  const isUnprotected = (path: string): boolean =>
    rules.unprotect.some((name) => isAtOrBelow(resolve(root, name), path));
  const names = [...PROTECTED_NAMES, ...rules.protect].map((name) => resolve(root, name));
  const homeNames = PROTECTED_HOME_NAMES.map((name) => resolve(root, name));
  const isHome = homes.some((path) => realOf(path) === root);
  // Hidden paths in the workspace, such as key files, are protected too: if one does not exist, commands cannot create it.
  const inside = [...names, ...secrets.named, ...secrets.real].filter(
    (path) => isAtOrBelow(root, path) && path !== root,
  );
  return {
    hidden: [...secrets.real, state].filter((path) => path !== root),
    writable: await Promise.all(rules.writable.map((path) => realWritable(resolve(root, path)))),
    guard() {
      const ofHome = homeNames.filter((path) => isHome || exists(path));
      const { guarded, removed, readable, writable } = findRepositories(root, trees);
      const all = [...new Set([...guarded, ...inside, ...ofHome])];
      return { guarded: all.filter((path) => !isUnprotected(path)), removed, readable, writable };
    },
  };
}

/**
 * Returns the home folder of the user. `undefined` for a user without an entry in the user database and without `HOME`.
 */
function homeOfUser(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

async function realWritable(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    throw new EngineError("config.invalid", { field: "writable", problem: `${path} does not exist` }, { cause: error });
  }
}

interface SandboxParts {
  readonly settings: SandboxSettings;
  readonly namespaces: Namespaces;
  readonly folders: PrivateFolder;
  readonly placeholders: PlaceholderRegistry;
  readonly paths: SandboxPaths;
  readonly sockets: SandboxSockets;
}

function createSandbox(parts: SandboxParts): Sandbox {
  const { settings, folders, placeholders, paths, sockets } = parts;
  const { root } = settings;
  const releasing = new Set<Promise<void>>();
  const isCarvedOut = (hidden: string, path: string): boolean => isAtOrBelow(hidden, root) && isAtOrBelow(root, path);
  const releaseAll = async (absent: readonly string[]): Promise<void> => {
    for (const path of absent) rmSync(path, { recursive: true, force: true });
    await placeholders.release();
  };
  return {
    sockets,
    async enter(command) {
      assertCommandExists(command.input.argv, contextOf(command, parts));
      const plan = await placeholders.hold(() => planCommand(paths, root));
      return {
        input: { ...command.input, namespaced: true, argv: renderCommand(parts, command, plan) },
        release() {
          const release = releaseAll(plan.absent).catch(() => {});
          releasing.add(release);
          return release.finally(() => releasing.delete(release));
        },
      };
    },
    isGuarded(path) {
      const { guarded, removed } = paths.guard();
      const wanted = path.toLowerCase();
      return [...guarded, ...removed].some((guard) => {
        const guardedPath = guard.toLowerCase();
        // A parent folder of a protected path is guarded too, if it exists: it must not be moved.
        return isAtOrBelow(guardedPath, wanted) || (isAtOrBelow(wanted, guardedPath) && exists(path) && exists(guard));
      });
    },
    hidesInside: paths.hidden.some((path) => isAtOrBelow(root, path) && exists(path)),
    // If the workspace is inside a hidden folder, as a worktree may be, only the workspace is visible in this folder.
    isHidden: (path) => paths.hidden.some((hidden) => isAtOrBelow(hidden, path) && !isCarvedOut(hidden, path)),
    isAbsent: (path) => stepsTo(root, path).some(isPlaceholderAt),
    settled: async () => void (await Promise.all(releasing)),
    async [Symbol.asyncDispose]() {
      await Promise.all(releasing);
      await placeholders.close();
      await folders[Symbol.asyncDispose]();
    },
  };
}

interface CommandPlan extends Protection {
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** Paths that do not exist before the command, and are removed after it if the command created them. */
  readonly absent: readonly string[];
}

function planCommand(paths: SandboxPaths, root: string): CommandPlan {
  const { guarded, removed, readable, writable } = paths.guard();
  const absent = removed.filter((path) => !exists(path));
  const present = removed.filter(exists);
  const inner = [...guarded, ...present].filter((path) => isAtOrBelow(root, path));
  const plan = planProtection(root, inner);
  // In a git folder outside the workspace, a missing path gets no placeholder, which could be left behind there.
  const outer = guarded.filter((path) => !isAtOrBelow(root, path));
  return {
    parents: plan.parents,
    readOnly: [...plan.readOnly, ...outer.filter(exists)],
    missing: plan.missing,
    readable,
    writable: [...paths.writable, ...writable],
    absent: [...absent, ...outer.filter((path) => !exists(path))],
  };
}

function renderCommand(
  { settings, namespaces, folders, paths, sockets }: SandboxParts,
  command: ContainedCommand,
  plan: CommandPlan,
): string[] {
  const { program, drainMs, proxy, relay } = settings;
  const exposed = sockets.ports();
  const ports: readonly RelayedPort[] =
    proxy === undefined ? exposed : [{ port: RELAY_PORT, socketPath: PROXY_SOCKET }, ...exposed];
  const mounts = renderSandboxMounts({
    root: settings.root,
    folders,
    readable: plan.readable,
    writable: plan.writable,
    hidden: paths.hidden,
    protection: plan,
    isRealRoot: process.getuid?.() === 0,
    hasNetwork: settings.rules.network === "allow",
    proxySocket: proxy?.socketPath,
    socketFolder: exposed.length === 0 ? undefined : folders.sockets,
  });
  return renderNamespaceCommand({
    program,
    namespaces,
    mounts,
    folder: command.folder,
    argv: command.input.argv,
    drainMs,
    relay: ports.length === 0 ? undefined : relayCommand(relay, ports),
  });
}

function contextOf({ folder, input }: ContainedCommand, { settings, folders, paths }: SandboxParts): CommandContext {
  const mounted: readonly (readonly [string, string | undefined])[] = [
    ["/tmp", folders.temporary],
    ["/var/tmp", folders.largeTemporary],
    ["/run", undefined],
  ];
  return {
    folder,
    path: input.variables["PATH"] ?? "",
    toHostPath(path) {
      if ([settings.root, ...paths.writable].some((shared) => isAtOrBelow(shared, path))) return path;
      const found = mounted.find(([folderSeen]) => isAtOrBelow(folderSeen, path));
      if (found === undefined) return path;
      const [seen, here] = found;
      return here === undefined ? undefined : here + path.slice(seen.length);
    },
  };
}

function exists(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
