import type { EndSignal, ProcessGroup } from "./process-group.ts";
import { sendTo } from "./process-group.ts";
import { findChildren, findGroup, followMarkedProcesses, isLivingProcess } from "./process-table.ts";

/**
 * Creates the `ProcessGroup` of a command that runs inside a process (PID) namespace. `monitor` is the id of the
 * process that waits outside the namespace. Its only child is the first process of the namespace, which leads a
 * separate session. When the first process dies, the kernel ends all other processes of the namespace.
 */
export function createNamespaceGroup(monitor: number, mark: string): ProcessGroup {
  const state: { monitorEnded: boolean; first: number | undefined } = { monitorEnded: false, first: undefined };
  const marked = followMarkedProcesses(mark);
  const findFirst = (): number | undefined => {
    if (!state.monitorEnded) state.first ??= findChildren(monitor).at(0);
    return state.first;
  };
  const isFirstAlive = (): boolean => {
    if (state.first !== undefined && !isLivingProcess(state.first)) state.first = undefined;
    return state.first !== undefined;
  };
  const group: ProcessGroup = {
    signal(signal) {
      const first = findFirst();
      if (signal === "SIGKILL" || first === undefined || !sendTo(-first, signal)) endAll(first, monitor, state);
    },
    signalAll(signal: EndSignal) {
      group.signal(signal);
      // SIGKILL needs no further step: the kernel has ended the whole namespace together with its first process.
      if (signal === "SIGKILL") return;
      // The monitor gets no signal, because its exit ends the namespace before the grace period is over.
      // The process group of the namespace's first process gets no second signal.
      marked.signal((pid) => {
        if (pid !== monitor && findGroup(pid) !== state.first) sendTo(pid, signal);
      });
    },
    isAlive: () => !state.monitorEnded || isFirstAlive(),
    hasSurvivors: () => group.isAlive(),
    leaderEnded() {
      state.monitorEnded = true;
    },
  };
  return group;
}

function endAll(first: number | undefined, monitor: number, state: { readonly monitorEnded: boolean }): void {
  // Once the monitor process has exited, the id of its child may belong to another process.
  if (state.monitorEnded) return;
  if (first === undefined || !sendTo(first, "SIGKILL")) sendTo(monitor, "SIGKILL");
}
