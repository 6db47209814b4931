import { setTimeout as delay } from "node:timers/promises";
import { settlesWithin } from "../../local/process/wait-until.ts";
import type { Lane, LaneResponse } from "../lane/lane.ts";

/** Signals that are sent to processes. */
export type EndSignal = "SIGTERM" | "SIGKILL" | "SIGINT" | "SIGPIPE";

/** Remote processes: those of a group, and those that carry a mark. */
export interface ProcessTarget {
  /** Id of the group. */
  readonly group?: number | undefined;
  /** Mark in the variables of the processes. */
  readonly mark?: string | undefined;
}

/** Processes of a target that are still alive. */
interface Survivors {
  /** True if a process of the group is alive. */
  readonly group: boolean;
  /** Ids of the marked processes found. */
  readonly marked: readonly number[];
}

/** Tracks and ends remote processes. Contract: an environment that is gone has no survivors. */
export interface ProcessWatch {
  /** Registers a group, which the remote script ends when the connection drops. */
  know(group: number): void;
  /** Unregisters a group that is gone. */
  forget(group: number): void;
  /** Sends a signal, or none, and returns the survivors. */
  signal(target: ProcessTarget, signal: EndSignal | undefined): Promise<Survivors>;
}

const NONE: Survivors = { group: false, marked: [] };
/** Result when the survivors are unknown and must be assumed. */
const UNKNOWN: Survivors = { group: true, marked: [] };
/** Maximum time for a response, in milliseconds, before the environment counts as unresponsive. */
const ANSWER_MS = 15_000;

/** Creates a watch that uses a lane. `lane` reopens the lane after it has ended. */
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
      // The connection is gone, and with it all processes started through it: the remote script ends them.
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
  /** Called with the ids of marked processes after each check. */
  onMarked?(marked: readonly number[]): void;
}

/**
 * Ends a target: SIGTERM, then repeated SIGKILL after the grace period. Resolves with whether it is gone. loop: §5.4.
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
  // A survivor may have started another process in between.
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
