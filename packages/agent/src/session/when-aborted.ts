type Callback = () => void;

const callbacks = new WeakMap<AbortSignal, Set<Callback>>();

function follow(signal: AbortSignal): Set<Callback> {
  const waiting = new Set<Callback>();
  callbacks.set(signal, waiting);
  const onAbort = (): void => {
    for (const callback of waiting) callback();
    waiting.clear();
  };
  signal.addEventListener("abort", onAbort, { once: true });
  return waiting;
}

/**
 * Calls back when a signal fires, unless the returned function was called before; at once where it fired already. The
 * signal of a session gets one listener for all model and tool calls: adding and removing one costs as much as a call.
 */
export function whenAborted(signal: AbortSignal, callback: Callback): () => void {
  if (signal.aborted) {
    callback();
    return () => {};
  }
  const waiting = callbacks.get(signal) ?? follow(signal);
  waiting.add(callback);
  return () => void waiting.delete(callback);
}
