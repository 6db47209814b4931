/** Something that comes about once. */
export interface Latch<T> {
  /** Resolves when it has come about. */
  readonly opened: Promise<T>;
  /** It has come about; later calls change nothing. */
  open(value: T): void;
}

/** Makes a latch. */
export function createLatch<T>(): Latch<T> {
  let open: (value: T) => void = () => {};
  const opened = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Waits for a latch at most so many milliseconds (0: without a limit) or until something else is over. */
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
