import { readdirSync, readFileSync } from "node:fs";

/**
 * Environment variable that identifies the processes of a command, even after they have left its process group. Its
 * value is a list of marks (unique ids): those of enclosing environments, then the command's mark.
 */
export const PROCESS_MARK = "SWITCHYARD_PROCESS_MARK";
/**
 * Maximum length of an inherited value of the mark variable, in characters. A longer value was not created by this
 * package.
 */
const MAX_OUTER_MARK_CHARS = 2000;

/**
 * Returns the value of the environment variable that identifies a process: inherited marks of enclosing environments,
 * then the process's own mark.
 */
export function renderProcessMark(outer: string | undefined, mark: string): string {
  return outer === undefined || outer.length > MAX_OUTER_MARK_CHARS ? mark : `${outer} ${mark}`;
}

/**
 * Returns the ids of running processes whose initial environment variables contain a mark. Linux only; returns an empty
 * list elsewhere. Processes of other users are not found.
 */
function findMarkedProcesses(mark: string): number[] {
  if (process.platform !== "linux") return [];
  return listProcessIds().filter((pid) => pid !== process.pid && carriesMark(pid, mark));
}

/**
 * Tracks processes whose environment variables contain a mark (a unique id of a command), while they are being ended.
 */
export interface MarkedProcesses {
  /** Number of processes seen so far. */
  readonly count: number;
  /** Calls `send` for each running process whose environment variables contain the mark. */
  signal(send: (pid: number) => void): void;
  /** Returns whether any process that was found by the mark in its environment variables is still alive. */
  areAlive(): boolean;
}

/**
 * Tracks processes whose environment variables contain a mark (a unique id of a command). Ids of found processes are
 * remembered, because the variables of an exiting process become unreadable before it is dead.
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
    // The process has exited, or its id now belongs to another process.
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
    // The list of all processes is searched, because some kernels are built without `/proc/…/children`.
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
    // These fields come after the program name, which is in parentheses and may contain any character.
    const [state = "", parent = "", group = ""] = text.slice(text.lastIndexOf(")") + 2).split(" ", 3);
    return { state, parent: Number(parent), group: Number(group) };
  } catch {
    return undefined;
  }
}
