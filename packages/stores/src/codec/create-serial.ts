/** Runs tasks one after another; a failed task does not affect the next. */
export type Serial = <T>(task: () => Promise<T>) => Promise<T>;

/** Creates a sequential queue of tasks. */
export function createSerial(): Serial {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const next = last.then(task, task);
    last = next;
    return next;
  };
}
