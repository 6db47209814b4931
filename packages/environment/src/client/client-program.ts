import { randomUUID } from "node:crypto";
import type { ExecResult, SpawnedProcess } from "@switchyard/contracts";
import { LocalProcess } from "../local/process/local-process.ts";
import { PROCESS_MARK, renderProcessMark } from "../local/process/process-table.ts";
import { ABORTED_BEFORE_START, runCommand } from "../local/process/run-command.ts";
import { toSpawnedProcess } from "../local/process/spawned-process.ts";
import { startProcess } from "../local/process/start-process.ts";
import type { HostVariables } from "../variables/select-variables.ts";

/** What a client program answers at most, in characters; more is cut in its middle. */
const MAX_ANSWER_CHARS = 16 * 1024 * 1024;
/** From SIGTERM to SIGKILL for a client that is stopped. */
const KILL_GRACE_MS = 2000;
const DRAIN_MS = 250;

/** How a client program is run to its end. */
interface ClientRunOptions {
  /** What it reads; nothing by default. */
  readonly stdin?: string | undefined;
  /** Ends it when it fires. */
  readonly signal?: AbortSignal | undefined;
  /** Time until it is ended. */
  readonly timeoutMs: number;
}

/**
 * A program of a vendor by which a place is reached: `docker`, `podman`, `kubectl`. It sees all of the host's variables:
 * contexts, credentials and proxies are found by them.
 */
export interface ClientProgram {
  /** Absolute path. */
  readonly path: string;
  /** Runs it to its end. */
  run(args: readonly string[], options: ClientRunOptions): Promise<ExecResult>;
  /** Starts it and hands out its streams. */
  start(args: readonly string[], signal?: AbortSignal): Promise<SpawnedProcess>;
}

/** Makes a client of a program. `leading` comes before the arguments of each call. */
export function createClientProgram(
  path: string,
  hostVariables: HostVariables,
  leading: readonly string[] = [],
): ClientProgram {
  const launch = async (args: readonly string[], stdin: "pipe" | "ignore"): Promise<LocalProcess> => {
    const mark = randomUUID();
    const variables = { ...definedVariables(hostVariables), [PROCESS_MARK]: outerMark(hostVariables, mark) };
    // Relative paths in the variables, KUBECONFIG for instance, are relative to the host's folder.
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
