import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { basename } from "node:path";
import { Duplex } from "node:stream";
import type { RunningChild } from "../running-child.ts";
import type { StartInput } from "../start-input.ts";
import type { HelperChild } from "./helper-child.ts";
import { createHelperChild } from "./helper-child.ts";
import type { HelperFrame, HelperOrder } from "./helper-program.ts";
import { createFrameReader, encodeFrame, renderHelperProgram } from "./helper-program.ts";

/** Maximum time for the helper process to start, in milliseconds. */
const READY_MS = 10_000;

/** Outcome of a request to the helper process to start a command. */
type HelperStart =
  | { readonly kind: "started"; readonly child: RunningChild }
  /** No command was started. `code` is the system error code, for example `ENOENT`. */
  | { readonly kind: "failed"; readonly code: string | undefined }
  /**
   * The helper process exited before it responded, or cannot access the working folder. If `isSafe` is true, no command
   * was started, so the start can be repeated without the helper.
   */
  | { readonly kind: "lost"; readonly isSafe: boolean };

/**
 * A small process that starts commands on behalf of the host process. Contract: when the host process has exited, the
 * helper ends the process groups of all commands.
 */
export interface SpawnHelper {
  /** True while the helper is running. */
  readonly isAlive: boolean;
  /** True if no command is running or being started. */
  readonly isIdle: boolean;
  /** Starts a program through the helper. */
  start(input: StartInput): Promise<HelperStart>;
  /** Stops the helper process, which then ends the commands that it started. */
  close(): void;
}

/**
 * Returns whether the executable of this process is Node itself, so that a helper program can be passed to it as source
 * text. False if Node is bundled into another executable.
 */
export function canStartHelper(): boolean {
  return process.platform !== "win32" && /^node(-?\d+)?$/.test(basename(process.execPath));
}

/** Starts a helper process. Resolves with `undefined` if it cannot be started. */
export async function startSpawnHelper(): Promise<SpawnHelper | undefined> {
  if (!canStartHelper()) return undefined;
  const child = trySpawn();
  const channel = child?.stdio[3];
  if (child === undefined || !(channel instanceof Duplex)) return undefined;
  const helper = new HelperConnection(child, channel);
  return (await helper.ready) ? helper : undefined;
}

function trySpawn(): ChildProcess | undefined {
  try {
    const argv = ["--title=switchyard-spawn", "--input-type=commonjs", "-e", renderHelperProgram()];
    return spawn(process.execPath, argv, {
      cwd: "/",
      // No variables are inherited: no secrets, no NODE_OPTIONS, and no mark with which a command would end the helper.
      env: {},
      // A Ctrl-C for this process must not end the helper.
      detached: true,
      stdio: ["ignore", "ignore", "ignore", "pipe"],
    });
  } catch {
    return undefined;
  }
}

interface Pending {
  readonly child: HelperChild;
  readonly settle: (start: HelperStart) => void;
}

class HelperConnection implements SpawnHelper {
  readonly ready: Promise<boolean>;
  readonly #channel: Duplex;
  readonly #starting = new Map<number, Pending>();
  readonly #running = new Map<number, HelperChild>();
  readonly #hold: (holds: boolean) => void;
  #count = 0;
  #alive = true;
  #isReady: (ready: boolean) => void = () => {};

  constructor(child: ChildProcess, channel: Duplex) {
    this.#channel = channel;
    this.#hold = createHold(child, channel);
    this.ready = new Promise((resolve) => {
      const timer = setTimeout(() => child.kill("SIGKILL"), READY_MS);
      this.#isReady = (ready) => {
        clearTimeout(timer);
        this.#hold(false);
        resolve(ready);
      };
    });
    const read = createFrameReader((frame) => this.#take(frame));
    channel.on("data", read);
    channel.on("error", () => {});
    channel.on("close", () => this.#lose());
    child.on("error", () => this.#lose());
  }

  get isAlive(): boolean {
    return this.#alive;
  }

  get isIdle(): boolean {
    return this.#running.size === 0 && this.#starting.size === 0;
  }

  start(input: StartInput): Promise<HelperStart> {
    if (!this.#alive) return Promise.resolve({ kind: "lost", isSafe: true });
    this.#count += 1;
    const id = this.#count;
    const send = (kind: string, payload?: Uint8Array | string): void => {
      if (this.#alive) this.#channel.write(encodeFrame(kind, id, payload));
    };
    const child = createHelperChild(send, {
      takesInput: input.stdin === "pipe",
      hasOutput: input.output === undefined,
    });
    this.#hold(true);
    return new Promise((settle) => {
      this.#starting.set(id, { child, settle: (start) => settle(withNamespace(start, input)) });
      send("S", JSON.stringify(toOrder(input)));
    });
  }

  close(): void {
    this.#channel.destroy();
  }

  #take(frame: HelperFrame): void {
    const { kind, id } = frame;
    if (kind === "r") this.#isReady(true);
    else if (kind === "s" || kind === "f") this.#answer(frame);
    else this.#running.get(id)?.take(frame);
  }

  #answer({ kind, id, payload }: HelperFrame): void {
    const pending = this.#starting.get(id);
    this.#starting.delete(id);
    if (pending === undefined) return;
    const { child, settle } = pending;
    const { pid, code }: { pid?: number; code?: string } = JSON.parse(payload.toString());
    if (kind === "f" || pid === undefined) {
      this.#rest();
      settle(code === "ENOFOLDER" ? { kind: "lost", isSafe: true } : { kind: "failed", code });
      return;
    }
    this.#running.set(id, child);
    child.events.once("close", () => {
      this.#running.delete(id);
      this.#rest();
    });
    const { stdin, stdout, stderr } = child;
    settle({ kind: "started", child: { child: child.events, pid, stdin, stdout, stderr } });
    // Events are emitted only after the caller has attached its listeners. Earlier messages are buffered.
    setImmediate(() => child.begin());
  }

  /** Calls `unref` on the idle helper process, so that it does not prevent this process from exiting. */
  #rest(): void {
    if (this.isIdle) this.#hold(false);
  }

  #lose(): void {
    if (!this.#alive) return;
    this.#alive = false;
    this.#isReady(false);
    for (const { settle } of this.#starting.values()) settle({ kind: "lost", isSafe: false });
    for (const child of this.#running.values()) child.lose();
    this.#starting.clear();
  }
}

/**
 * Returns a function that sets whether the helper process prevents this process from exiting. It should do so only
 * while commands run.
 */
function createHold(child: ChildProcess, channel: Duplex): (holds: boolean) => void {
  child.unref();
  return (holds) => {
    const name = holds ? "ref" : "unref";
    const call = name in channel ? Reflect.get(channel, name) : undefined;
    if (typeof call === "function") Reflect.apply(call, channel, []);
  };
}

function toOrder({ argv, cwd, variables, stdin, output }: StartInput): HelperOrder {
  const file = (descriptor: number) => ({ path: toForeignPath(`/proc/self/fd/${descriptor}`) });
  const input = typeof stdin === "string" ? stdin : file(stdin);
  const outputs = output === undefined ? (["pipe", "pipe"] as const) : [file(output.stdout), file(output.stderr)];
  return { argv, cwd: toForeignPath(cwd), variables, streams: [input, ...outputs] };
}

/**
 * Replaces `/proc/self` with the id of this process in a descriptor's path, so that another process of the same user
 * can open the path.
 */
function toForeignPath(path: string): string {
  return path.replace(/^\/proc\/self\//, `/proc/${process.pid}/`);
}

function withNamespace(start: HelperStart, { namespaced }: StartInput): HelperStart {
  return start.kind === "started" ? { ...start, child: { ...start.child, namespaced } } : start;
}
