import { lstatSync, rmSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { resolve } from "node:path";
import { EngineError } from "@switchyard/contracts";
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
import type { PrivateFolder } from "./state-folder.ts";
import { openPrivateFolder, openStateFolder } from "./state-folder.ts";

/** Rules of a sandbox; paths are relative to the workspace, or for `hide` and `reveal` to the home folder. */
export interface SandboxRules {
  readonly network: "none" | "allow";
  readonly writable: readonly string[];
  readonly hide: readonly string[];
  readonly reveal: readonly string[];
  readonly protect: readonly string[];
  readonly unprotect: readonly string[];
}

/** What a sandbox is made from. */
export interface SandboxSettings {
  /** Real path of the workspace. */
  readonly root: string;
  readonly rules: SandboxRules;
  /** Home folder of the variables, if they name one. */
  readonly home: string | undefined;
  /** Path of bubblewrap. */
  readonly program: string;
  readonly drainMs: number;
}

/** A sandbox: keeps commands in, and says which paths are none of theirs, nor of anything that is done for them. */
export interface Sandbox extends Containment, WorkspaceGuard, AsyncDisposable {
  /** Whether something inside of the workspace is hidden. */
  readonly hidesInside: boolean;
  /** Waits until what finished commands needed is given back. */
  settled(): Promise<void>;
}

/** How a command enters: what is given to bubblewrap beside the mounts. */
type Namespaces = readonly string[];

/** Root keeps its power over files of others, as without a sandbox, and nothing else. */
const ROOT_POWERS = ["CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID"].flatMap((name) => ["--cap-add", `CAP_${name}`]);
const OWN_NAMESPACES = ["--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"] as const;

/** Opens the sandbox of a workspace. It was not tried yet whether bubblewrap can make one. */
export async function openSandbox(settings: SandboxSettings, namespaces: Namespaces): Promise<Sandbox> {
  const state = await openStateFolder(tmpdir());
  const folders = await openPrivateFolder(state);
  try {
    const keeper = createPlaceholderRegistry(state, settings.root);
    const paths = await listPaths(settings, state);
    const sandbox = createSandbox({ settings, namespaces, folders, keeper, paths });
    await keeper.sweep(planProtection(settings.root, paths.guard().guarded).missing);
    return sandbox;
  } catch (error) {
    await folders[Symbol.asyncDispose]();
    throw error;
  }
}

/** The namespaces to try, the preferred ones first. As root, without one of users: it would see files of others as nobody's. */
export function listNamespaces(network: SandboxRules["network"]): readonly Namespaces[] {
  const common = [...OWN_NAMESPACES, ...(network === "none" ? ["--unshare-net"] : [])];
  const ofUser = ["--unshare-user", ...common];
  if (process.getuid?.() !== 0) return [ofUser];
  return [[...common, "--cap-drop", "ALL", ...ROOT_POWERS], ofUser];
}

interface SandboxPaths {
  readonly hidden: readonly string[];
  readonly writable: readonly string[];
  /** What is guarded as the disk is now. */
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
  // What is hidden and does not exist yet could be made: keys that let somebody in, for instance.
  const inside = [...names, ...secrets.named, ...secrets.real].filter(
    (path) => isAtOrBelow(root, path) && path !== root,
  );
  return {
    hidden: [...secrets.real, state].filter((path) => path !== root),
    writable: await Promise.all(rules.writable.map((path) => realWritable(resolve(root, path)))),
    guard() {
      const ofHome = homeNames.filter((path) => isHome || isThere(path));
      const { guarded, removed, readable, writable } = findRepositories(root, trees);
      const all = [...new Set([...guarded, ...inside, ...ofHome])];
      return { guarded: all.filter((path) => !isUnprotected(path)), removed, readable, writable };
    },
  };
}

/** A user without an entry and without `HOME` has no home folder. */
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
  readonly keeper: PlaceholderRegistry;
  readonly paths: SandboxPaths;
}

function createSandbox(parts: SandboxParts): Sandbox {
  const { settings, folders, keeper, paths } = parts;
  const { root } = settings;
  const releasing = new Set<Promise<void>>();
  const isCarvedOut = (hidden: string, path: string): boolean => isAtOrBelow(hidden, root) && isAtOrBelow(root, path);
  const releaseAll = async (absent: readonly string[]): Promise<void> => {
    for (const path of absent) rmSync(path, { recursive: true, force: true });
    await keeper.release();
  };
  return {
    async enter(command) {
      assertCommandExists(command.input.argv, placeOf(command, parts));
      const plan = await keeper.hold(() => planCommand(paths, root));
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
        const held = guard.toLowerCase();
        // A folder that leads to something protected stays where it is, as far as it exists.
        return isAtOrBelow(held, wanted) || (isAtOrBelow(wanted, held) && isThere(path) && isThere(guard));
      });
    },
    hidesInside: paths.hidden.some((path) => isAtOrBelow(root, path) && isThere(path)),
    // A workspace may lie in a hidden folder, as worktrees do in the state folder: it alone is visible there.
    isHidden: (path) => paths.hidden.some((hidden) => isAtOrBelow(hidden, path) && !isCarvedOut(hidden, path)),
    isAbsent: (path) => stepsTo(root, path).some(isPlaceholderAt),
    settled: async () => void (await Promise.all(releasing)),
    async [Symbol.asyncDispose]() {
      await Promise.all(releasing);
      await keeper.close();
      await folders[Symbol.asyncDispose]();
    },
  };
}

interface CommandPlan extends Protection {
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** What does not exist and must not exist afterwards. */
  readonly absent: readonly string[];
}

function planCommand(paths: SandboxPaths, root: string): CommandPlan {
  const { guarded, removed, readable, writable } = paths.guard();
  const absent = removed.filter((path) => !isThere(path));
  const present = removed.filter(isThere);
  const inner = [...guarded, ...present].filter((path) => isAtOrBelow(root, path));
  const plan = planProtection(root, inner);
  // A folder of git that lies outside: only what exists can be protected there without leaving something behind.
  const outer = guarded.filter((path) => !isAtOrBelow(root, path));
  return {
    held: plan.held,
    readOnly: [...plan.readOnly, ...outer.filter(isThere)],
    missing: plan.missing,
    readable,
    writable: [...paths.writable, ...writable],
    absent: [...absent, ...outer.filter((path) => !isThere(path))],
  };
}

function renderCommand(
  { settings, namespaces, folders, paths }: SandboxParts,
  command: ContainedCommand,
  plan: CommandPlan,
): string[] {
  const mounts = renderSandboxMounts({
    root: settings.root,
    folders,
    readable: plan.readable,
    writable: plan.writable,
    hidden: paths.hidden,
    protection: plan,
    isRealRoot: process.getuid?.() === 0,
    hasNetwork: settings.rules.network === "allow",
  });
  const { program, drainMs } = settings;
  return renderNamespaceCommand({
    program,
    namespaces,
    mounts,
    folder: command.folder,
    argv: command.input.argv,
    drainMs,
  });
}

function placeOf({ folder, input }: ContainedCommand, { settings, folders, paths }: SandboxParts): CommandContext {
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

function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
