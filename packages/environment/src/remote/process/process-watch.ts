import { setTimeout as delay } from "node:timers/promises";
import { settlesWithin } from "../../local/process/wait-until.ts";
import type { RemoteShell, RemoteShellResponse } from "../shell/remote-shell.ts";

/** Signals that can be sent to remote processes. */
export type EndSignal = "SIGTERM" | "SIGKILL" | "SIGINT" | "SIGPIPE";

/**
 * Remote processes to signal, selected by process group, by a mark (unique id) in their environment variables, or both.
 */
export interface ProcessTarget {
  /** Id of the process group. */
  readonly group?: number | undefined;
  /**
   * Mark (unique id) in the environment variables of the processes. It also identifies processes that have left their
   * process group.
   */
  readonly mark?: string | undefined;
}

/** Selected remote processes that are still alive. */
interface Survivors {
  /** True if a process of the process group is alive. */
  readonly group: boolean;
  /** Ids of running processes whose environment variables contain the mark (unique id). */
  readonly marked: readonly number[];
}

/**
 * Tracks and ends remote processes. Contract: if the connection to the environment is lost, no process counts as alive.
 */
export interface ProcessWatch {
  /** Registers a process group. If the connection drops, a script in the remote environment ends the group. */
  register(group: number): void;
  /** Unregisters a process group that no longer exists. */
  unregister(group: number): void;
  /**
   * Sends a signal to the selected processes, or only checks them if `signal` is `undefined`. Returns which of them are
   * alive.
   */
  signal(target: ProcessTarget, signal: EndSignal | undefined): Promise<Survivors>;
}

const NONE: Survivors = { group: false, marked: [] };
/** Result if the remote shell has not responded. The processes are then assumed to be alive. */
const UNKNOWN: Survivors = { group: true, marked: [] };
/** Maximum time for a response, in milliseconds, before the environment counts as unresponsive. */
const ANSWER_MS = 15_000;

/**
 * Creates an object that tracks and ends remote processes through a remote shell. `shell` resolves with this shell, and
 * restarts it if it has exited.
 */
export function createProcessWatch(shell: () => Promise<RemoteShell>): ProcessWatch {
  const notify = (operation: string, group: number): void => {
    shell().then(
      (open) => open.notify({ operation, args: [String(group)] }),
      () => {},
    );
  };
  const request = async (args: readonly string[]): Promise<Survivors> => {
    try {
      return parseSurvivors(await (await shell()).request({ operation: "end", args }));
    } catch {
      // The connection is lost. The remote script ends all processes that were started through this connection.
      return NONE;
    }
  };
  return {
    register: (group) => notify("know", group),
    unregister: (group) => notify("forget", group),
    async signal({ group, mark = "" }, signal) {
      const args = [signal?.slice("SIG".length) ?? "0", group === undefined ? "" : String(group), mark];
      let survivors = UNKNOWN;
      const asking = request(args).then((found) => {
        survivors = found;
      });
      await settlesWithin(asking, ANSWER_MS);
      return survivors;
    },
  };
}

function parseSurvivors({ data }: RemoteShellResponse): Survivors {
  const args = data.toString("utf8").split(/\s+/);
  return { group: args.includes("group"), marked: args.map(Number).filter((token) => token > 0) };
}

const KILL_WAIT_MS = 5000;
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [10, 100];

/** Options for ending the selected remote processes. */
export interface EndOptions {
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly killGraceMs: number;
  /**
   * Called after each check, with the ids of running processes that were found by the mark in their environment
   * variables.
   */
  onMarked?(marked: readonly number[]): void;
}

/**
 * Ends the selected processes: SIGTERM, then repeated SIGKILL after the grace period. Resolves with true if all of them
 * are gone. See loop: §5.4.
 */
export async function endProcesses(
  watch: ProcessWatch,
  target: ProcessTarget,
  { killGraceMs, onMarked }: EndOptions,
): Promise<boolean> {
  const look = async (signal: EndSignal | undefined): Promise<boolean> => {
    const survivors = await watch.signal(target, signal);
    onMarked?.(survivors.marked);
    return !survivors.group && survivors.marked.length === 0;
  };
  if (await look("SIGTERM")) return true;
  if (await pollUntil(() => look(undefined), killGraceMs)) return true;
  // SIGKILL is repeated, because a surviving process may have started another process since the last SIGKILL.
  return (await look("SIGKILL")) || pollUntil(() => look("SIGKILL"), KILL_WAIT_MS);
}

/** Calls `isGone` until it resolves with true or the time limit is reached. Resolves with its last result. */
export async function pollUntil(isGone: () => Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
    const remainingMs = deadline - performance.now();
    if (remainingMs <= 0) return false;
    await delay(Math.min(pauseMs, remainingMs));
    if (await isGone()) return true;
  }
}
