import { EngineError, type Interrupt, type SessionHandle } from "@switchyard/contracts";

/** Permission to execute one run. The holder of a slot must release it. */
export interface RunSlot {
  /** Aborts when the run must stop, with an error as reason. Used for work before the session exists. */
  readonly stopped: AbortSignal;
  /** First request to stop the run. `undefined` if there was none. */
  readonly interrupt: Interrupt | undefined;
  /** Aborts when the run must stop immediately. */
  readonly cancelled: AbortSignal;
  /** Attaches the session of the run. If a stop was already requested, the session is interrupted immediately. */
  attach(handle: SessionHandle): void;
  /** Asks the run to stop. */
  stop(interrupt: Interrupt): void;
  /** Stops the run immediately. */
  cancel(): void;
  /** Releases the slot. */
  release(): void;
}

/** Limits and tracks the concurrent runs of a server. */
export interface RunExecutor {
  /** Reserves a slot for a run. Throws `server.busy` if no slot is free, and `server.draining` at shutdown. */
  enter(): RunSlot;
  /** True if a slot is free and the executor accepts new runs. */
  readonly hasRoom: boolean;
  /** Registers the callback that is called whenever a slot is released. */
  onFree(callback: () => void): void;
  /** Number of used slots. */
  readonly used: number;
  /** True if new runs are accepted. */
  readonly isOpen: boolean;
  /** Stops accepting runs. */
  close(): void;
  /** Asks all runs to save a checkpoint and stop. Resolves when all slots are released. */
  stopAll(interrupt: Interrupt): Promise<void>;
  /** Stops all runs immediately. */
  cancelAll(): void;
}

/** Creates the executor of a server with a maximum number of concurrent runs. */
export function createRunExecutor(concurrency: number): RunExecutor {
  const slots = new Set<RunSlot>();
  let isOpen = true;
  let onEmpty: () => void = () => undefined;
  let onFree: () => void = () => undefined;
  const take = (): RunSlot => {
    const slot = createRunSlot(() => {
      if (!slots.delete(slot)) return;
      if (slots.size === 0) onEmpty();
      onFree();
    });
    slots.add(slot);
    return slot;
  };
  return {
    get isOpen() {
      return isOpen;
    },
    get used() {
      return slots.size;
    },
    get hasRoom() {
      return isOpen && slots.size < concurrency;
    },
    enter() {
      if (!isOpen) throw new EngineError("server.draining");
      if (slots.size >= concurrency) throw new EngineError("server.busy", { concurrency });
      return take();
    },
    onFree(callback) {
      onFree = callback;
    },
    close() {
      isOpen = false;
    },
    async stopAll(interrupt) {
      if (slots.size === 0) return;
      const empty = new Promise<void>((resolve) => {
        onEmpty = resolve;
      });
      for (const slot of [...slots]) slot.stop(interrupt);
      await empty;
    },
    cancelAll() {
      for (const slot of [...slots]) slot.cancel();
    },
  };
}

function createRunSlot(release: () => void): RunSlot {
  const stopping = new AbortController();
  const cancelling = new AbortController();
  let interrupt: Interrupt | undefined;
  let handle: SessionHandle | undefined;
  const forward = (): void => {
    if (interrupt === undefined) return;
    // At shutdown, the process exits soon, so a checkpoint should save the completed work.
    if (interrupt.cause === "host_shutdown") handle?.suggestCheckpoint();
    handle?.interrupt(interrupt);
  };
  return {
    stopped: stopping.signal,
    cancelled: cancelling.signal,
    get interrupt() {
      return interrupt;
    },
    attach(started) {
      handle = started;
      forward();
    },
    stop(wanted) {
      if (interrupt !== undefined) return;
      interrupt = wanted;
      stopping.abort(reasonOf(wanted));
      forward();
    },
    cancel: () => cancelling.abort(),
    release,
  };
}

/** Returns the error for a caller whose run was stopped before it started. */
function reasonOf({ cause, detail = "it was stopped" }: Interrupt): EngineError {
  if (cause === "host_shutdown") return new EngineError("server.draining");
  return new EngineError("server.bad_request", { problem: detail });
}
