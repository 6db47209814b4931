import { readdirSync, readFileSync } from "node:fs";

/** Variable that identifies processes which have left their group. It also contains the marks of outer environments. */
export const PROCESS_MARK = "SWITCHYARD_PROCESS_MARK";
/** Maximum length of an outer mark, in characters. A longer one was not created by this package. */
const MAX_OUTER_MARK_CHARS = 2000;

/** Returns the variable's value for a process: the marks of outer environments, then its own. */
export function renderProcessMark(outer: string | undefined, mark: string): string {
  return outer === undefined || outer.length > MAX_OUTER_MARK_CHARS ? mark : `${outer} ${mark}`;
}

/**
 * Returns the ids of living processes whose variables carried a mark when they started. Linux only; elsewhere empty.
 * Processes of other users, and those started with other variables, are not found.
 */
function findMarkedProcesses(mark: string): number[] {
  if (process.platform !== "linux") return [];
  return listProcessIds().filter((pid) => pid !== process.pid && carriesMark(pid, mark));
}

/** Tracks the processes that carry a mark while they are being ended. */
export interface MarkedProcesses {
  /** Number of processes seen so far. */
  readonly count: number;
  /** Sends a signal to all processes that carry the mark now. */
  signal(send: (pid: number) => void): void;
  /** Returns whether a process that carries or carried the mark is still alive. */
  areAlive(): boolean;
}

/**
 * Tracks the processes that carry a mark. An exiting process loses its variables before it is dead, so it is
 * remembered.
 */
export function followMarkedProcesses(mark: string): MarkedProcesses {
  const [seen, everSeen] = [new Set<number>(), new Set<number>()];
  const look = (): readonly number[] => {
    const marked = findMarkedProcesses(mark);
    for (const pid of marked) {
      seen.add(pid);
      everSeen.add(pid);
    }
    return marked;
  };
  return {
    get count() {
      return everSeen.size;
    },
    signal(send) {
      for (const pid of look()) send(pid);
    },
    areAlive() {
      look();
      for (const pid of seen) if (!isLiving(readStat(pid))) seen.delete(pid);
      return seen.size > 0;
    },
  };
}

function listProcessIds(): number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function carriesMark(pid: number, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`).includes(mark);
  } catch {
    // Exited, or its id belongs to another process.
    return false;
  }
}

/** Returns whether a process group has a member that is not a zombie. Linux only. */
export function hasLivingMember(group: number): boolean {
  return listProcessIds().some((pid) => {
    const stat = readStat(pid);
    return stat?.group === group && isLiving(stat);
  });
}

/** Returns the group id of a process. Linux only. */
export function findGroup(pid: number): number | undefined {
  return readStat(pid)?.group;
}

/** Returns the ids of a process's children. Linux only. */
export function findChildren(parent: number): number[] {
  try {
    const text = readFileSync(`/proc/${parent}/task/${parent}/children`, "latin1").trim();
    return text === "" ? [] : text.split(" ").map(Number);
  } catch {
    // The list depends on a kernel option.
    return listProcessIds().filter((pid) => readStat(pid)?.parent === parent);
  }
}

/** Returns whether a process exists and is not a zombie. Linux only. */
export function isLivingProcess(pid: number): boolean {
  return isLiving(readStat(pid));
}

interface ProcessStat {
  readonly state: string;
  readonly parent: number;
  readonly group: number;
}

/** Returns whether a process exists and is not a zombie. */
function isLiving(stat: ProcessStat | undefined): boolean {
  return stat !== undefined && stat.state !== "Z" && stat.state !== "X";
}

function readStat(pid: number): ProcessStat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The program name before it, in parentheses, may contain any character.
    const [state = "", parent = "", group = ""] = text.slice(text.lastIndexOf(")") + 2).split(" ", 3);
    return { state, parent: Number(parent), group: Number(group) };
  } catch {
    return undefined;
  }
}
