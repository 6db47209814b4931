import { spawn } from "node:child_process";
import { findGroup, followMarkedProcesses, hasLivingMember } from "./process-table.ts";

/** Signals that are sent to processes. */
export type EndSignal = "SIGTERM" | "SIGKILL" | "SIGINT";

/** A process, its group, and all processes that carry its mark. */
export interface ProcessGroup {
  /** Sends a signal to the group only. Does nothing once the group is gone, because its id may be reused. */
  signal(signal: EndSignal): void;
  /** Sends a signal to the group and to marked processes outside it. */
  signalAll(signal: EndSignal): void;
  /** Returns whether the group still has a process. */
  isAlive(): boolean;
  /** Returns whether the group, or a marked process outside it, is still alive. */
  hasSurvivors(): boolean;
  /** Records that the first process has exited. From then on the group may be found empty. */
  leaderEnded(): void;
}

/** Creates the group of a process that was started as the leader of a new group. */
export function createProcessGroup(pid: number, mark: string): ProcessGroup {
  const state = { leaderEnded: false, gone: false };
  const escaped = followMarkedProcesses(mark);
  const send = (signal: EndSignal | 0): boolean => {
    if (state.gone) return false;
    const sent = sendTo(-pid, signal);
    if (!sent) state.gone = state.leaderEnded;
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
        // A second SIGTERM would run a trap twice, and many programs treat it as a request to exit immediately.
        if (!sent || findGroup(marked) !== pid) sendTo(marked, signal);
      });
    },
    isAlive() {
      if (process.platform === "win32") return !state.leaderEnded;
      send(0);
      // In a container, dead processes may never be reaped and still count as members.
      if (!state.gone && state.leaderEnded && process.platform === "linux") state.gone = !hasLivingMember(pid);
      return !state.gone;
    },
    hasSurvivors: () => group.isAlive() || escaped.areAlive(),
    leaderEnded() {
      state.leaderEnded = true;
    },
  };
  return group;
}

/** Sends a signal. Returns false if there is no such process, or (macOS) only dead ones. */
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
