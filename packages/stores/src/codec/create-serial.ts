/** Runs one task after the other; a failed one does not hold up the next. */
export type Serial = <T>(task: () => Promise<T>) => Promise<T>;

/** Makes a row of tasks. */
export function createSerial(): Serial {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const next = last.then(task, task);
    last = next;
    return next;
  };
}
