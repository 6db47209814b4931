/** Runs work one piece after the other, in the order in which it was given. */
export type SerialQueue = <T>(work: () => Promise<T>) => Promise<T>;

/** Makes a queue of work; a piece that fails holds up no other. */
export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
