import { randomUUID } from "node:crypto";
import type { ExecResult, SpawnedProcess } from "@switchyard/contracts";
import { LocalProcess } from "../local/process/local-process.ts";
import { PROCESS_MARK, renderProcessMark } from "../local/process/process-table.ts";
import { ABORTED_BEFORE_START, runCommand } from "../local/process/run-command.ts";
import { toSpawnedProcess } from "../local/process/spawned-process.ts";
import { startProcess } from "../local/process/start-process.ts";
import type { HostVariables } from "../variables/select-variables.ts";

/** Maximum output of a client program, in characters. Longer output is truncated in the middle. */
const MAX_ANSWER_CHARS = 16 * 1024 * 1024;
/** Milliseconds between SIGTERM and SIGKILL when a client is stopped. */
const KILL_GRACE_MS = 2000;
const DRAIN_MS = 250;

/** Options for running a client program to completion. */
interface ClientRunOptions {
  /** Standard input. Default: empty. */
  readonly stdin?: string | undefined;
  /** Aborts the client program. */
  readonly signal?: AbortSignal | undefined;
  /** Time limit, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * A vendor's client program that gives access to a remote environment: `docker`, `podman`, `kubectl`. The program
 * receives all variables of the host, because contexts, credentials and proxies depend on them.
 */
export interface ClientProgram {
  /** Absolute path of the program. */
  readonly path: string;
  /** Runs the program to completion. */
  run(args: readonly string[], options: ClientRunOptions): Promise<ExecResult>;
  /** Starts the program and returns its streams. */
  start(args: readonly string[], signal?: AbortSignal): Promise<SpawnedProcess>;
}

/** Creates a client for a program. The `leading` arguments are placed before the arguments of each call. */
export function createClientProgram(
  path: string,
  hostVariables: HostVariables,
  leading: readonly string[] = [],
): ClientProgram {
  const launch = async (args: readonly string[], stdin: "pipe" | "ignore"): Promise<LocalProcess> => {
    const mark = randomUUID();
    const variables = { ...definedVariables(hostVariables), [PROCESS_MARK]: outerMark(hostVariables, mark) };
    // Relative paths in variables such as KUBECONFIG are relative to the host's working directory.
    const child = await startProcess({ argv: [path, ...leading, ...args], cwd: ".", variables, stdin });
    return new LocalProcess(child, mark, { killGraceMs: KILL_GRACE_MS, drainMs: DRAIN_MS });
  };
  return {
    path,
    async run(args, options) {
      if (options.signal?.aborted === true) return { ...ABORTED_BEFORE_START };
      const process = await launch(args, options.stdin === undefined ? "ignore" : "pipe");
      return runCommand(process, { ...options, maxOutputChars: MAX_ANSWER_CHARS });
    },
    async start(args, signal) {
      signal?.throwIfAborted();
      return toSpawnedProcess(await launch(args, "pipe"), signal);
    },
  };
}

function outerMark(host: HostVariables, mark: string): string {
  return renderProcessMark(host[PROCESS_MARK], mark);
}

function definedVariables(host: HostVariables): Record<string, string> {
  return Object.fromEntries(
    Object.entries(host).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
