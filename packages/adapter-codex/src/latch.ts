/** A one-time event that can be waited for. */
export interface Latch<T> {
  /** Resolves when the latch is opened. */
  readonly opened: Promise<T>;
  /** Opens the latch; later calls have no effect. */
  open(value: T): void;
}

/** Creates a latch that is not open yet. */
export function createLatch<T>(): Latch<T> {
  let open: (value: T) => void = () => {};
  const opened = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Waits until a latch is opened, `timeoutMs` milliseconds have passed (0: no limit), or `over` resolves. */
export async function within<T>(latch: Latch<T>, timeoutMs: number, over: Promise<void>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    if (timeoutMs > 0) timer = setTimeout(() => resolve(undefined), timeoutMs);
  });
  try {
    return await Promise.race([latch.opened, late, over.then(() => undefined)]);
  } finally {
    clearTimeout(timer);
  }
}
