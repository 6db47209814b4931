import { setTimeout as delay } from "node:timers/promises";
import { settlesWithin } from "../../local/process/wait-until.ts";
import type { Lane, LaneResponse } from "../lane/lane.ts";

/** Signals that are sent to processes. */
export type EndSignal = "SIGTERM" | "SIGKILL" | "SIGINT" | "SIGPIPE";

/** Processes of a place: those of a group, and those that carry a mark wherever they went. */
export interface ProcessTarget {
  /** Number of the group. */
  readonly group?: number | undefined;
  /** Mark in their variables. */
  readonly mark?: string | undefined;
}

/** What is left of a target. */
interface Survivors {
  /** Whether a process of the group lives. */
  readonly group: boolean;
  /** Numbers of the marked processes that were found. */
  readonly marked: readonly number[];
}

/** Knows the processes of a place and ends them. Contract: a place that is gone has no survivors. */
export interface ProcessWatch {
  /** Remembers a group, which the place ends by itself when the connection drops. */
  know(group: number): void;
  /** Forgets a group that is gone. */
  forget(group: number): void;
  /** Sends a signal, or none, and tells what lives. */
  signal(target: ProcessTarget, signal: EndSignal | undefined): Promise<Survivors>;
}

const NONE: Survivors = { group: false, marked: [] };
/** Nobody knows what lives, so something may. */
const UNKNOWN: Survivors = { group: true, marked: [] };
/** A place that takes longer for an answer hangs, and with it nobody else is to. */
const ANSWER_MS = 15_000;

/** Makes a watch on a lane; `lane` opens it anew where it has ended. */
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
      // The connection is gone, and with it, by the place's own hand, all that was started through it.
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

/** What follows the end of a target. */
export interface EndOptions {
  /** From SIGTERM to SIGKILL. */
  readonly killGraceMs: number;
  /** Takes the numbers of marked processes each time they are looked for. */
  onMarked?(marked: readonly number[]): void;
}

/** Ends a target: SIGTERM, after the grace SIGKILL, again and again. Whether it is gone. loop: §5.4. */
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

/** Looks until there is nothing left or the time is up; whether nothing is. */
export async function pollUntil(isGone: () => Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) return false;
    await delay(Math.min(pauseMs, leftMs));
    if (await isGone()) return true;
  }
}
