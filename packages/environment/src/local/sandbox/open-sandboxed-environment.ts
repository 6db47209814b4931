import type { EnvironmentVariables, ExecutionEnvironment } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import type { EnvironmentProxy } from "../../environment-options.ts";
import { assertKnownOptions, type OptionNames } from "../../known-options.ts";
import { findRelay } from "../../relay/find-relay.ts";
import { proxyVariables } from "../../relay/relay-command.ts";
import type { LocalEnvironmentOptions } from "../open-local-environment.ts";
import { LOCAL_OPTIONS, localParts, processTimes } from "../open-local-environment.ts";
import { openWorkspace } from "../workspace/open-workspace.ts";
import type { LocalWorkspace } from "../workspace/pin-path.ts";
import { listAgentHomes } from "./agent-homes.ts";
import type { SandboxRules } from "./sandbox.ts";
import { listNamespaces, openSandbox } from "./sandbox.ts";
import { describeMissing, diagnoseFailure, findBubblewrap } from "./sandbox-readiness.ts";
import { SandboxedEnvironment } from "./sandboxed-environment.ts";

const PROBE_MS = 10_000;

/**
 * Environment variables that contain addresses of services outside the sandbox: signing agents, message buses,
 * container engines.
 */
const SERVICE_NAMES = ["SSH_AUTH_SOCK", "SSH_AGENT_PID", "GPG_AGENT_INFO", "DBUS_SESSION_BUS_ADDRESS", "DOCKER_HOST"];

/** Options for opening a sandboxed environment. */
export interface SandboxedEnvironmentOptions extends Omit<LocalEnvironmentOptions, "processes"> {
  /**
   * Network access of commands. `none`: each command has an isolated network, in which it can reach only itself.
   * `list:…`: like `none`, but commands can also connect to `proxy`, which must enforce the list of hosts. `allow`: the
   * network of this machine, including services on its loopback addresses. Default: `none`.
   */
  readonly network?: "none" | "allow" | `list:${string}` | undefined;
  /**
   * HTTP proxy for commands that have no other network. Variables such as `HTTPS_PROXY` are set to its address. Not
   * allowed with `network: "allow"`. Default: none.
   */
  readonly proxy?: EnvironmentProxy | undefined;
  /** Existing folders and files outside the workspace that commands may change, such as caches. */
  readonly writable?: readonly string[] | undefined;
  /**
   * Additional unreadable paths, absolute or relative to the home folder. `~/.ssh` and similar paths are always hidden.
   */
  readonly hide?: readonly string[] | undefined;
  /** Paths, hidden by default, that commands should see. */
  readonly reveal?: readonly string[] | undefined;
  /** Additional paths of the workspace that commands can neither create nor change. */
  readonly protect?: readonly string[] | undefined;
  /**
   * Paths, protected by default, that commands may change, for example `.git` so that commands can create a repository.
   */
  readonly unprotect?: readonly string[] | undefined;
  /**
   * Folder in which this process stores its runs, if it differs from the default folders. Commands cannot see the
   * folder.
   */
  readonly stateDirectory?: string | undefined;
}

const SANDBOX_OPTIONS: OptionNames<SandboxedEnvironmentOptions> = {
  ...LOCAL_OPTIONS,
  network: true,
  proxy: true,
  writable: true,
  hide: true,
  reveal: true,
  protect: true,
  unprotect: true,
  stateDirectory: true,
};

/**
 * Opens a local environment whose commands cannot harm the rest of the machine. Needs Linux and bubblewrap, with or
 * without root.
 *
 * - Commands can write below the workspace, to `/tmp` and `/var/tmp` (separate folders, removed with the environment)
 *   and to `writable`. The rest of the disk is read-only, `/run` is empty, and `/dev` contains only harmless devices.
 * - Keys, credentials and histories in the home folder are hidden.
 * - Files in the workspace that programs outside the sandbox execute or use as configuration are protected, whether or
 *   not they exist. These are git hooks and configuration (also of submodules and nested repositories), and settings of
 *   editors, agents, shells and package managers. File operations on them fail with `environment.permission_denied`. If
 *   such a name does not exist, an empty folder takes its place while commands run. The last command to end removes it;
 *   after a crash, the next sandbox does.
 * - In a linked worktree, whose git folder is outside, commands can write what a commit needs: index, objects, refs.
 * - Each command has its own process namespace. All its processes end with it, and when this process dies.
 * - `network: "none"` isolates commands from every network. With `proxy`, they reach this proxy only. Each command gets a
 *   relay to the sockets that were exposed before it started.
 *
 * Not covered: an outside program that replaces a protected file while a command runs lifts its protection for that
 * command. Files written by commands, such as a script or a nested repository, can be executed by a user later.
 *
 * Throws `environment.unavailable`, with the packages to install, if no sandbox can be created or a protected name is a
 * link. Throws the errors of `openLocalEnvironment`. See loop: §4.3.
 */
export async function openSandboxedEnvironment(options: SandboxedEnvironmentOptions): Promise<ExecutionEnvironment> {
  assertKnownOptions(options, SANDBOX_OPTIONS);
  checkNetwork(options);
  const program = await findBubblewrap({ ...options.env });
  if (typeof program !== "string") throw unavailable(describeMissing(program));
  const workspace = await openWorkspace(options.root);
  if (workspace.real === "/") throw unavailable("The workspace is the whole disk; choose a folder.");
  let refused = "";
  for (const namespaces of listNamespaces(options.network === "allow" ? "allow" : "none")) {
    const opened = await openOnce(options, { workspace, program, namespaces });
    if (typeof opened !== "string") {
      opened.proxy = options.proxy;
      return opened;
    }
    refused ||= opened;
  }
  throw unavailable(describeMissing(diagnoseFailure(refused)));
}

interface Attempt {
  readonly workspace: LocalWorkspace;
  readonly program: string;
  readonly namespaces: readonly string[];
}

/** Opens a sandbox and runs a test command in it. Resolves with bubblewrap's message if the test fails. */
async function openOnce(
  options: SandboxedEnvironmentOptions,
  { workspace, program, namespaces }: Attempt,
): Promise<SandboxedEnvironment | string> {
  const { drainMs } = processTimes(options);
  const home = options.env?.["HOME"];
  const relay = await findRelay({ ...options.env });
  const { proxy } = options;
  const settings = {
    root: workspace.real,
    rules: toRules(options, workspace.real),
    home,
    program,
    drainMs,
    proxy,
    relay,
  };
  const sandbox = await openSandbox(settings, namespaces);
  const inner = { ...options, environmentVariables: toVariableRules(options) };
  // If a path in the workspace is hidden, ripgrep is not used, because ripgrep would search hidden files.
  const ripgrep = sandbox.hidesInside ? false : options.ripgrep;
  const guarded = { ...workspace, guard: sandbox };
  const environment = new SandboxedEnvironment(localParts(guarded, { ...inner, ripgrep }, sandbox), {
    ...{ sandbox, sharesLoopback: options.network === "allow" },
  });
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

function toRules(options: SandboxedEnvironmentOptions, root: string): SandboxRules {
  const {
    network = "none",
    writable = [],
    hide = [],
    reveal = [],
    protect = [],
    unprotect = [],
    stateDirectory,
  } = options;
  const ofAgents = listAgentHomes({ ...options.env }, root);
  const hidden = [...hide, ...ofAgents, ...(stateDirectory === undefined ? [] : [stateDirectory])];
  return { network: network === "allow" ? "allow" : "none", writable, hide: hidden, reveal, protect, unprotect };
}

/**
 * Sets the environment variables for temporary files and caches to writable folders, unless the caller sets these
 * variables.
 */
function toVariableRules(options: SandboxedEnvironmentOptions): EnvironmentVariables {
  const { env = {}, environmentVariables = {}, proxy } = options;
  const temporary = ["TMP", "TEMP"].flatMap((name) => (env[name] === undefined ? [] : [[name, "/tmp"]]));
  return {
    ...environmentVariables,
    deny: [...(environmentVariables.deny ?? []), ...SERVICE_NAMES],
    set: {
      ...Object.fromEntries(temporary),
      TMPDIR: "/tmp",
      XDG_CACHE_HOME: "/tmp/.cache",
      // npm ignores XDG_CACHE_HOME, and cannot write to its default cache in the home folder.
      ...(proxy === undefined ? {} : { ...proxyVariables(), npm_config_cache: "/tmp/.npm" }),
      ...environmentVariables.set,
    },
  };
}

function checkNetwork({ network = "none", proxy }: SandboxedEnvironmentOptions): void {
  if (network !== "none" && network !== "allow" && !network.startsWith("list:"))
    throw new EngineError("config.invalid", {
      field: "network",
      problem: "it is not one of: none, allow, list:HOST,…",
    });
  if (proxy === undefined || network !== "allow") return;
  throw new EngineError("config.invalid", { field: "proxy", problem: "it cannot be used with the network `allow`" });
}

function unavailable(problem: string): EngineError {
  return new EngineError("environment.unavailable", { environment: "sandbox", problem });
}
