import type { EnvironmentVariables, ExecutionEnvironment } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { assertKnownOptions, type OptionNames } from "../../known-options.ts";
import type { LocalEnvironmentOptions } from "../open-local-environment.ts";
import { LOCAL_OPTIONS, localParts, processTimes } from "../open-local-environment.ts";
import { openWorkspace } from "../workspace/open-workspace.ts";
import type { LocalWorkspace } from "../workspace/pin-path.ts";
import type { SandboxRules } from "./sandbox.ts";
import { listNamespaces, openSandbox } from "./sandbox.ts";
import { describeMissing, diagnoseFailure, findBubblewrap } from "./sandbox-readiness.ts";
import { SandboxedEnvironment } from "./sandboxed-environment.ts";

const PROBE_MS = 10_000;

/** Variables that lead to services outside: agents that sign, message buses, container engines. */
const SERVICE_NAMES = ["SSH_AUTH_SOCK", "SSH_AGENT_PID", "GPG_AGENT_INFO", "DBUS_SESSION_BUS_ADDRESS", "DOCKER_HOST"];

/** What a sandboxed environment is made from. */
export interface SandboxedEnvironmentOptions extends Omit<LocalEnvironmentOptions, "processes"> {
  /**
   * `none` by default: commands have a network of their own, with nothing but themselves in it. `allow` gives them the
   * one of this machine, what listens on its loopback addresses included.
   */
  readonly network?: "none" | "allow" | undefined;
  /** Folders and files outside of the workspace that commands may change, caches for instance. They exist already. */
  readonly writable?: readonly string[] | undefined;
  /** More paths that nobody may read, absolute or relative to the home folder; `~/.ssh` and the like are hidden anyway. */
  readonly hide?: readonly string[] | undefined;
  /** Paths that are hidden by default and shall not be. */
  readonly reveal?: readonly string[] | undefined;
  /** More paths of the workspace that commands must neither create nor change. */
  readonly protect?: readonly string[] | undefined;
  /** Paths that are protected by default and shall not be: `.git` to let commands make a repository, for instance. */
  readonly unprotect?: readonly string[] | undefined;
  /** The folder in which this process keeps its runs, if it is not one of the usual ones: it is hidden. */
  readonly stateDirectory?: string | undefined;
}

const SANDBOX_OPTIONS: OptionNames<SandboxedEnvironmentOptions> = {
  ...LOCAL_OPTIONS,
  network: true,
  writable: true,
  hide: true,
  reveal: true,
  protect: true,
  unprotect: true,
  stateDirectory: true,
};

/**
 * Opens an environment on this machine whose commands can do no harm to the rest of it. Linux, with bubblewrap; as root
 * or not.
 *
 * - They write below the workspace, to `/tmp` and `/var/tmp` (folders of the environment alone, gone with it) and to
 *   `writable`. The rest of the disk can be read only, `/run` is empty, `/dev` holds the harmless devices.
 * - Keys, credentials and histories of the home folder are hidden.
 * - What programs outside of the sandbox run or obey is protected in the workspace, whether or not it exists: git hooks
 *   and configuration, of submodules and of the repositories inside too, settings of editors, agents, shells and
 *   package managers. `environment.permission_denied` meets file operations as well. For a name that does not exist an
 *   empty folder stands in while commands run; the last one that ends removes it, or after a crash the next sandbox.
 * - Of a linked worktree, whose folder of git lies outside, commands may write what a commit needs: index, objects, refs.
 * - Each command has its own processes, which end with it, all of them, and when this process dies.
 * - `network: "none"` leaves them alone with themselves.
 *
 * Not covered: a program outside that replaces a protected file while a command runs lifts its protection for that
 * command, and what commands may write can be run by somebody later: a script of the workspace, a repository that a
 * command made inside of it.
 *
 * Throws `environment.unavailable`, with what to install, where no sandbox can be made or a protected name is a link;
 * and what `openLocalEnvironment` throws. loop: §4.3.
 */
export async function openSandboxedEnvironment(options: SandboxedEnvironmentOptions): Promise<ExecutionEnvironment> {
  assertKnownOptions(options, SANDBOX_OPTIONS);
  checkNetwork(options.network);
  const program = await findBubblewrap({ ...options.env });
  if (typeof program !== "string") throw unavailable(describeMissing(program));
  const workspace = await openWorkspace(options.root);
  if (workspace.real === "/") throw unavailable("The workspace is the whole disk; choose a folder.");
  let refused = "";
  for (const namespaces of listNamespaces(options.network ?? "none")) {
    const opened = await openOnce(options, { workspace, program, namespaces });
    if (typeof opened !== "string") return opened;
    refused ||= opened;
  }
  throw unavailable(describeMissing(diagnoseFailure(refused)));
}

interface Attempt {
  readonly workspace: LocalWorkspace;
  readonly program: string;
  readonly namespaces: readonly string[];
}

/** Opens a sandbox and tries it; what bubblewrap said where it could not make one. */
async function openOnce(
  options: SandboxedEnvironmentOptions,
  { workspace, program, namespaces }: Attempt,
): Promise<ExecutionEnvironment | string> {
  const { drainMs } = processTimes(options);
  const home = options.env?.["HOME"];
  const settings = { root: workspace.real, rules: toRules(options), home, program, drainMs };
  const sandbox = await openSandbox(settings, namespaces);
  const inner = { ...options, environmentVariables: toVariableRules(options) };
  // ripgrep knows nothing of what is hidden.
  const ripgrep = sandbox.hidesInside ? false : options.ripgrep;
  const guarded = { ...workspace, guard: sandbox };
  const environment = new SandboxedEnvironment(localParts(guarded, { ...inner, ripgrep }, sandbox), sandbox);
  try {
    const { exitCode, stderr } = await environment.exec(["/bin/sh", "-c", ":"], { timeoutMs: PROBE_MS });
    if (exitCode === 0) return environment;
    await environment[Symbol.asyncDispose]();
    return stderr === "" ? `its exit code is ${exitCode}` : stderr;
  } catch (error) {
    await environment[Symbol.asyncDispose]();
    throw error;
  }
}

function toRules(options: SandboxedEnvironmentOptions): SandboxRules {
  const {
    network = "none",
    writable = [],
    hide = [],
    reveal = [],
    protect = [],
    unprotect = [],
    stateDirectory,
  } = options;
  const hidden = stateDirectory === undefined ? hide : [...hide, stateDirectory];
  return { network, writable, hide: hidden, reveal, protect, unprotect };
}

/** Temporary files and caches go where commands may write, unless the caller knows better. */
function toVariableRules({ env = {}, environmentVariables = {} }: SandboxedEnvironmentOptions): EnvironmentVariables {
  const temporary = ["TMP", "TEMP"].flatMap((name) => (env[name] === undefined ? [] : [[name, "/tmp"]]));
  return {
    ...environmentVariables,
    deny: [...(environmentVariables.deny ?? []), ...SERVICE_NAMES],
    set: {
      ...Object.fromEntries(temporary),
      TMPDIR: "/tmp",
      XDG_CACHE_HOME: "/tmp/.cache",
      ...environmentVariables.set,
    },
  };
}

function checkNetwork(network: unknown): void {
  if (network === undefined || network === "none" || network === "allow") return;
  throw new EngineError("config.invalid", { field: "network", problem: "it is not one of: none, allow" });
}

function unavailable(problem: string): EngineError {
  return new EngineError("environment.unavailable", { environment: "sandbox", problem });
}
