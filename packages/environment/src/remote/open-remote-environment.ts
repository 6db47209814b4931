import type { ExecutionEnvironment } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import type { EnvironmentOptions } from "../environment-options.ts";
import { DEFAULT_DRAIN_MS, DEFAULT_KILL_GRACE_MS, DEFAULT_READ_BYTES } from "../environment-options.ts";
import type { WorkspaceRoot } from "../path/workspace-root.ts";
import type { RemoteFiles } from "./file/remote-files.ts";
import { createProcessWatch } from "./process/process-watch.ts";
import type { RemoteBackend } from "./remote-backend.ts";
import { RemoteEnvironment } from "./remote-environment.ts";
import type { RemoteFacts } from "./remote-facts.ts";
import { parseFacts } from "./remote-facts.ts";
import { createProcessMark, createRemoteProcesses } from "./remote-processes.ts";
import { renderFileShell, renderWatchShell } from "./script/shell-script.ts";
import { createRemoteSearch } from "./search/remote-search.ts";
import type { RemoteShell } from "./shell/remote-shell.ts";
import { openRemoteShell } from "./shell/remote-shell.ts";
import type { RemoteShellPool } from "./shell/remote-shell-pool.ts";
import { createRemoteShellPool } from "./shell/remote-shell-pool.ts";
import { toRemoteError } from "./to-remote-error.ts";

/**
 * Maximum size, in bytes, of the data sent with a request to a shared remote shell. Larger data is sent to a newly
 * started shell, which reads its input to the end instead of counting bytes.
 */
const MAX_PAYLOAD_BYTES = 256 * 1024;

/** Options for opening a remote environment. */
export interface RemoteOptions extends EnvironmentOptions {
  /** Workspace: the absolute path of an existing folder in the remote environment. */
  readonly workingDirectory: string;
  /** True to use the remote ripgrep if it is installed. Default: true. */
  readonly ripgrep?: boolean | undefined;
}

/**
 * Opens an environment that is accessed through a client program. Disposing the environment ends every process that it
 * started and closes the backend. The backend is also closed if opening fails.
 *
 * Throws `config.invalid`, `workspace.not_found`, `workspace.not_a_directory`, and the backend's error if the remote
 * environment is unreachable. See loop: §4.3.
 */
export async function openRemoteEnvironment(
  backend: RemoteBackend,
  options: RemoteOptions,
): Promise<ExecutionEnvironment> {
  const mark = createProcessMark();
  const killGraceMs = options.killGraceMs ?? DEFAULT_KILL_GRACE_MS;
  const openWatch = (): Promise<RemoteShell> =>
    openRemoteShell(backend, (key) => renderWatchShell(key, { mark, killGraceMs }));
  let first: RemoteShell | undefined;
  try {
    checkWorkingDirectory(options.workingDirectory);
    first = await openWatch();
    const facts = await detectFacts(first, options.workingDirectory);
    return assemble({ backend, options, mark, facts, killGraceMs, watchShell: createReopened(first, openWatch) });
  } catch (error) {
    await first?.[Symbol.asyncDispose]();
    await backend.close();
    throw error;
  }
}

function checkWorkingDirectory(path: string): void {
  const problem = path.startsWith("/")
    ? path.includes("\0")
      ? "it contains a NUL character"
      : ""
    : "it is not absolute";
  if (problem !== "") throw new EngineError("config.invalid", { field: "workingDirectory", problem });
}

async function detectFacts(shell: RemoteShell, path: string): Promise<RemoteFacts> {
  const response = await shell.request({ operation: "facts", args: [path] });
  if (response.status === 0) return parseFacts(response);
  const error = toRemoteError(response.message, { operation: "open", path, root: path });
  if (EngineError.is(error, "environment.file_not_found"))
    throw new EngineError("workspace.not_found", { path }, { cause: error });
  if (EngineError.is(error, "environment.not_a_directory"))
    throw new EngineError("workspace.not_a_directory", { path }, { cause: error });
  throw error;
}

/** A remote shell that is restarted if it has exited. */
interface Reopened extends AsyncDisposable {
  get(): Promise<RemoteShell>;
}

function createReopened(first: RemoteShell, open: () => Promise<RemoteShell>): Reopened {
  let current = Promise.resolve(first);
  let last = first;
  return {
    get() {
      if (!last.open) {
        const before = last;
        current = current.then(async (shell) => {
          // Another caller has already restarted the shell.
          if (shell !== before && shell.open) return shell;
          last = await open();
          return last;
        });
        // All callers that wait for this restart get the error. The next caller tries to restart the shell again.
        current.catch(() => {
          current = Promise.resolve(before);
        });
      }
      return current;
    },
    [Symbol.asyncDispose]: () => last[Symbol.asyncDispose](),
  };
}

interface Assembly {
  readonly backend: RemoteBackend;
  readonly options: RemoteOptions;
  readonly mark: string;
  readonly facts: RemoteFacts;
  readonly killGraceMs: number;
  readonly watchShell: Reopened;
}

function assemble({ backend, options, mark, facts, killGraceMs, watchShell }: Assembly): ExecutionEnvironment {
  const workspace: WorkspaceRoot = { real: facts.root, aliases: [options.workingDirectory], style: "posix" };
  const openFileShell = (): Promise<RemoteShell> => openRemoteShell(backend, (key) => renderFileShell(key, facts));
  const shells = createRemoteShellPool(openFileShell);
  const files = createFiles({ workspace, facts, shells, openFileShell, maxReadBytes: options.maxReadBytes });
  const watch = createProcessWatch(watchShell.get);
  const times = { killGraceMs, drainMs: options.drainMs ?? DEFAULT_DRAIN_MS };
  const variableRules = options.environmentVariables;
  const processes = createRemoteProcesses({ backend, facts, workspace, watch, variableRules, times }, mark);
  const ripgrep = options.ripgrep === false ? undefined : facts.ripgrep;
  return new RemoteEnvironment({
    name: backend.name,
    mark,
    facts,
    files,
    processes,
    exposeSocket: async () => backend.exposeSocket?.(),
    search: createRemoteSearch({ files, processes, ripgrep, descriptors: facts.descriptors }),
    async close() {
      await processes.close();
      await Promise.all([shells[Symbol.asyncDispose](), watchShell[Symbol.asyncDispose]()]);
      await backend.close();
    },
  });
}

interface FilesInput {
  readonly workspace: WorkspaceRoot;
  readonly facts: RemoteFacts;
  readonly shells: RemoteShellPool;
  readonly openFileShell: () => Promise<RemoteShell>;
  readonly maxReadBytes: number | undefined;
}

function createFiles({ workspace, facts, shells, openFileShell, maxReadBytes }: FilesInput): RemoteFiles {
  return {
    workspace,
    stat: facts.stat,
    maxReadBytes: maxReadBytes ?? DEFAULT_READ_BYTES,
    maxPayloadBytes: facts.takesExactly ? MAX_PAYLOAD_BYTES : 0,
    request: (request) => shells.request(request),
    async requestDedicated(request) {
      await using shell = await openFileShell();
      const response = shell.request(request);
      shell.finish();
      return await response;
    },
  };
}
