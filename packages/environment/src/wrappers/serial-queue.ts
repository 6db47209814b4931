/** Runs tasks one at a time, in order. */
export type SerialQueue = <T>(work: () => Promise<T>) => Promise<T>;

/** Creates a queue. A failing task does not block later ones. */
export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
