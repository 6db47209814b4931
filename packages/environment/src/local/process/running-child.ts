import type { Readable, Writable } from "node:stream";

/** Method of a child process that registers listeners for its events. */
interface ChildEvents {
  /** Listens for `exit`, when the process has ended, or `close`, when its streams have ended too. */
  once(event: "exit", listener: (exitCode: number | null, signal: NodeJS.Signals | null) => void): unknown;
  once(event: "close", listener: () => void): unknown;
}

/** A running process that leads a new process group. */
export interface RunningChild {
  readonly child: ChildEvents;
  readonly pid: number;
  readonly stdin: Writable | undefined;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** True if the process only monitors a process (PID) namespace in which the actual command runs. */
  readonly namespaced?: boolean | undefined;
}
