import type { ExecutionEnvironment } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { checkRemotePath } from "../client/check-setting.ts";
import { createClientProgram } from "../client/client-program.ts";
import { checkProgram, findProgram } from "../client/find-program.ts";
import { assertKnownOptions, ENVIRONMENT_OPTIONS, type OptionNames } from "../known-options.ts";
import type { RemoteOptions } from "../remote/open-remote-environment.ts";
import { openRemoteEnvironment } from "../remote/open-remote-environment.ts";
import type { RemoteBackend } from "../remote/remote-backend.ts";
import type { HostVariables } from "../variables/select-variables.ts";
import { findHomeFolder } from "./home-folder.ts";
import { createSshBackend } from "./ssh-backend.ts";
import type { SshTarget } from "./ssh-target.ts";
import { checkTarget, nameOf } from "./ssh-target.ts";

const DEFAULT_CONNECT_MS = 30_000;

/** Options for opening an environment on another machine. */
export interface SshEnvironmentOptions extends SshTarget, Omit<RemoteOptions, "workingDirectory"> {
  /** Workspace: the absolute path of an existing folder on that machine. Default: the user's home folder. */
  readonly workingDirectory?: string | undefined;
  /**
   * The host's variables, usually `process.env`. The ssh client needs them to find the user's home folder and ssh
   * agent. Their PATH is also used to find the client.
   */
  readonly hostEnv?: HostVariables | undefined;
  /** Absolute path of the OpenSSH client. Default: the one found on the PATH of `hostEnv`. */
  readonly client?: string | undefined;
  /** Time limit for the connection, in milliseconds. Default: 30,000. */
  readonly connectTimeoutMs?: number | undefined;
}

const SSH_OPTIONS: OptionNames<SshEnvironmentOptions> = {
  ...ENVIRONMENT_OPTIONS,
  ripgrep: true,
  host: true,
  user: true,
  port: true,
  identityFile: true,
  hostKeys: true,
  configFile: true,
  workingDirectory: true,
  hostEnv: true,
  client: true,
  connectTimeoutMs: true,
};

/**
 * Opens an environment on another machine, through the system's OpenSSH client with the user's ssh configuration. All
 * calls share one connection; if there are too many concurrent calls for it, more connections are opened. There are no
 * prompts: the host key must be known, and the login must not need a password. Disposing the environment ends every
 * process that it started there.
 *
 * Throws `config.invalid`, `environment.unavailable`, `workspace.not_found` and `workspace.not_a_directory`. See loop:
 * §4.3.
 */
export async function openSshEnvironment(options: SshEnvironmentOptions): Promise<ExecutionEnvironment> {
  assertKnownOptions(options, SSH_OPTIONS);
  const target = checkTarget(options);
  if (options.workingDirectory !== undefined) checkRemotePath("workingDirectory", options.workingDirectory);
  const hostEnv = options.hostEnv ?? {};
  const path = await findClient(options, hostEnv);
  const client = createClientProgram(path, hostEnv);
  const connectTimeoutMs = options.connectTimeoutMs ?? DEFAULT_CONNECT_MS;
  const backend = await createSshBackend({ client, target, connectTimeoutMs });
  return openRemoteEnvironment(backend, { ...options, workingDirectory: await workingDirectoryOf(options, backend) });
}

async function workingDirectoryOf(
  { workingDirectory }: SshEnvironmentOptions,
  backend: RemoteBackend,
): Promise<string> {
  if (workingDirectory !== undefined) return workingDirectory;
  try {
    return await findHomeFolder(backend);
  } catch (error) {
    await backend.close();
    throw error;
  }
}

async function findClient(options: SshEnvironmentOptions, hostEnv: HostVariables): Promise<string> {
  if (options.client !== undefined) return checkProgram("client", options.client);
  const found = await findProgram("ssh", hostEnv);
  if (found !== undefined) return found;
  const problem = "the program ssh is not installed; install the OpenSSH client";
  throw new EngineError("environment.unavailable", { environment: nameOf(options), problem });
}
