import { setTimeout as delay } from "node:timers/promises";
import { settlesWithin } from "../../local/process/wait-until.ts";
import type { Lane, LaneResponse } from "../lane/lane.ts";

/** Signals that can be sent to remote processes. */
export type EndSignal = "SIGTERM" | "SIGKILL" | "SIGINT" | "SIGPIPE";

/** Remote processes to signal: those of a process group, and those with a mark in their environment variables. */
export interface ProcessTarget {
  /** Id of the process group. */
  readonly group?: number | undefined;
  /** Mark in the environment variables of the processes. It finds processes that left their group. */
  readonly mark?: string | undefined;
}

/** Processes of a target that are still alive. */
interface Survivors {
  /** True if a process of the process group is alive. */
  readonly group: boolean;
  /** Ids of living processes with the mark in their environment variables. */
  readonly marked: readonly number[];
}

/**
 * Tracks and ends remote processes. Contract: if the connection to the environment is lost, no process counts as alive.
 */
export interface ProcessWatch {
  /** Registers a process group, which a remote script ends when the connection drops. */
  know(group: number): void;
  /** Unregisters a process group that no longer exists. */
  forget(group: number): void;
  /** Sends a signal, or none, and returns which processes are alive. */
  signal(target: ProcessTarget, signal: EndSignal | undefined): Promise<Survivors>;
}

const NONE: Survivors = { group: false, marked: [] };
/** Result if it is unknown which processes are alive. They are assumed to be alive. */
const UNKNOWN: Survivors = { group: true, marked: [] };
/** Maximum time for a response, in milliseconds, before the environment counts as unresponsive. */
const ANSWER_MS = 15_000;

/**
 * Creates an object that tracks and ends remote processes through a remote shell. `lane` resolves with the shell, and
 * starts it again if it has ended.
 */
export function createProcessWatch(lane: () => Promise<Lane>): ProcessWatch {
  const tell = (operation: string, group: number): void => {
    lane().then(
      (open) => open.tell({ operation, words: [String(group)] }),
      () => {},
    );
  };
  const ask = async (words: readonly string[]): Promise<Survivors> => {
    try {
      return parseSurvivors(await (await lane()).ask({ operation: "end", words }));
    } catch {
      // The connection is lost. The remote script then ends all processes that were started through it.
      return NONE;
    }
  };
  return {
    know: (group) => tell("know", group),
    forget: (group) => tell("forget", group),
    async signal({ group, mark = "" }, signal) {
      const words = [signal?.slice("SIG".length) ?? "0", group === undefined ? "" : String(group), mark];
      let survivors = UNKNOWN;
      const asking = ask(words).then((found) => {
        survivors = found;
      });
      await settlesWithin(asking, ANSWER_MS);
      return survivors;
    },
  };
}

function parseSurvivors({ data }: LaneResponse): Survivors {
  const words = data.toString("utf8").split(/\s+/);
  return { group: words.includes("group"), marked: words.map(Number).filter((word) => word > 0) };
}

const KILL_WAIT_MS = 5000;
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [10, 100];

/** Options for ending a target. */
export interface EndOptions {
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly killGraceMs: number;
  /** Called after each check, with the ids of living processes that have the mark in their environment variables. */
  onMarked?(marked: readonly number[]): void;
}

/**
 * Ends a target: SIGTERM, then repeated SIGKILL after the grace period. Resolves with whether all its processes are
 * gone. loop: §5.4.
 */
export async function endProcesses(
  watch: ProcessWatch,
  target: ProcessTarget,
  { killGraceMs, onMarked }: EndOptions,
): Promise<boolean> {
  const look = async (signal: EndSignal | undefined): Promise<boolean> => {
    const left = await watch.signal(target, signal);
    onMarked?.(left.marked);
    return !left.group && left.marked.length === 0;
  };
  if (await look("SIGTERM")) return true;
  if (await pollUntil(() => look(undefined), killGraceMs)) return true;
  // A surviving process may have started another one in between.
  return (await look("SIGKILL")) || pollUntil(() => look("SIGKILL"), KILL_WAIT_MS);
}

/** Polls until nothing is left or the time limit is reached. Resolves with whether nothing is left. */
export async function pollUntil(isGone: () => Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) return false;
    await delay(Math.min(pauseMs, leftMs));
    if (await isGone()) return true;
  }
}
