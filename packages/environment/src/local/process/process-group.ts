import { spawn } from "node:child_process";
import { findGroup, followMarkedProcesses, hasLivingMember } from "./process-table.ts";

/** Signals that end processes. */
export type EndSignal = "SIGTERM" | "SIGKILL" | "SIGINT";

/**
 * The processes of one command: its process group, and processes that left the group. Processes that left are
 * identified by an environment variable that contains the command's mark (a unique id).
 */
export interface ProcessGroup {
  /**
   * Sends a signal to the process group only. Does nothing once all processes of the group have exited, because the
   * system may reuse the group id.
   */
  signal(signal: EndSignal): void;
  /** Sends a signal to the process group of the command, and to processes that have left this group. */
  signalAll(signal: EndSignal): void;
  /** Returns whether the process group still has a process. */
  isAlive(): boolean;
  /** Returns whether any process of the command is still alive, inside or outside its process group. */
  hasSurvivors(): boolean;
  /**
   * Called when the first process (leader) has exited. Before that, the process group counts as existing even if it has
   * no process.
   */
  leaderEnded(): void;
}

/** Creates the `ProcessGroup` of a process that was started as the leader of a new process group. */
export function createProcessGroup(pid: number, mark: string): ProcessGroup {
  const state = { leaderEnded: false, isGone: false };
  const escaped = followMarkedProcesses(mark);
  const send = (signal: EndSignal | 0): boolean => {
    if (state.isGone) return false;
    const sent = sendTo(-pid, signal);
    if (!sent) state.isGone = state.leaderEnded;
    return sent;
  };
  const group: ProcessGroup = {
    signal(signal) {
      if (process.platform === "win32") endWindowsTree(pid, state.leaderEnded);
      else send(signal);
    },
    signalAll(signal) {
      if (process.platform === "win32") return group.signal(signal);
      const sent = send(signal);
      escaped.signal((marked) => {
        // Members of the process group are skipped, because they have already received the signal. A second SIGTERM
        // would run traps twice, and make many programs exit immediately.
        if (!sent || findGroup(marked) !== pid) sendTo(marked, signal);
      });
    },
    isAlive() {
      if (process.platform === "win32") return !state.leaderEnded;
      send(0);
      // In a container, zombies may never be reaped, and then still count as members of the process group.
      if (!state.isGone && state.leaderEnded && process.platform === "linux") state.isGone = !hasLivingMember(pid);
      return !state.isGone;
    },
    hasSurvivors: () => group.isAlive() || escaped.areAlive(),
    leaderEnded() {
      state.leaderEnded = true;
    },
  };
  return group;
}

/**
 * Sends a signal to a process, or to a process group if the id is negative. Returns false if no such process exists; on
 * macOS also if only zombies are left.
 */
export function sendTo(pid: number, signal: EndSignal | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

function endWindowsTree(pid: number, ended: boolean): void {
  if (ended) return;
  const killer = spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true });
  killer.on("error", () => {});
}
