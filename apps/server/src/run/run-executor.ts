import { EngineError, type Interrupt, type SessionHandle } from "@switchyard/contracts";

/** A place for one run. Whoever takes it gives it back. */
export interface RunLocation {
  /** Fires when the run is to stop, with an error as its reason: for what is done before there is a session. */
  readonly stopped: AbortSignal;
  /** Why it was asked to stop, if it was; the first request counts. */
  readonly interrupt: Interrupt | undefined;
  /** Fires when the run is to stop at once. */
  readonly cancelled: AbortSignal;
  /** Hands over the session: a request to stop that came before reaches it at once. */
  attach(handle: SessionHandle): void;
  /** Asks the run to stop. */
  stop(interrupt: Interrupt): void;
  /** Stops the run at once. */
  cancel(): void;
  /** Gives the place back. */
  leave(): void;
}

/** Knows all runs of a server. */
export interface RunExecutor {
  /** Takes a place. Throws `server.busy` and `server.draining`. */
  enter(): RunLocation;
  /** Whether there is a place, and new runs are taken. */
  readonly hasRoom: boolean;
  /** Calls back whenever a place was given back. */
  onFree(tell: () => void): void;
  /** Number of places that are taken. */
  readonly taken: number;
  /** Whether new runs are taken. */
  readonly isOpen: boolean;
  /** Takes no new runs. */
  close(): void;
  /** Asks all runs to keep what is done, and to stop. Resolves when all places are given back. */
  stopAll(interrupt: Interrupt): Promise<void>;
  /** Stops all runs at once. */
  cancelAll(): void;
}

/** Makes the desk of a server that works on so many runs at once. */
export function createRunExecutor(concurrency: number): RunExecutor {
  const places = new Set<RunLocation>();
  let isOpen = true;
  let onEmpty: () => void = () => undefined;
  let onFree: () => void = () => undefined;
  const take = (): RunLocation => {
    const place = createRunPlace(() => {
      if (!places.delete(place)) return;
      if (places.size === 0) onEmpty();
      onFree();
    });
    places.add(place);
    return place;
  };
  return {
    get isOpen() {
      return isOpen;
    },
    get taken() {
      return places.size;
    },
    get hasRoom() {
      return isOpen && places.size < concurrency;
    },
    enter() {
      if (!isOpen) throw new EngineError("server.draining");
      if (places.size >= concurrency) throw new EngineError("server.busy", { concurrency });
      return take();
    },
    onFree(tell) {
      onFree = tell;
    },
    close() {
      isOpen = false;
    },
    async stopAll(interrupt) {
      if (places.size === 0) return;
      const empty = new Promise<void>((resolve) => {
        onEmpty = resolve;
      });
      for (const place of [...places]) place.stop(interrupt);
      await empty;
    },
    cancelAll() {
      for (const place of [...places]) place.cancel();
    },
  };
}

function createRunPlace(leave: () => void): RunLocation {
  const stopping = new AbortController();
  const cancelling = new AbortController();
  let interrupt: Interrupt | undefined;
  let handle: SessionHandle | undefined;
  const forward = (): void => {
    if (interrupt === undefined) return;
    // A process that has to go soon: whatever is done by now should be kept.
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
    leave,
  };
}

/** What a caller whose run has not begun is told, if there still is one. */
function reasonOf({ cause, detail = "it was stopped" }: Interrupt): EngineError {
  if (cause === "host_shutdown") return new EngineError("server.draining");
  return new EngineError("server.bad_request", { problem: detail });
}
