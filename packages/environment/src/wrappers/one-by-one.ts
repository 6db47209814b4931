/** Runs work one piece after the other, in the order in which it was given. */
export type OneByOne = <T>(work: () => Promise<T>) => Promise<T>;

/** Makes a queue of work; a piece that fails holds up no other. */
export function createOneByOne(): OneByOne {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
