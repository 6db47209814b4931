/** A queue whose both ends cost nothing that grows with it. */
export interface Fifo<T> {
  /** How many are in it. */
  readonly size: number;
  /** Adds one at the end. */
  push(item: T): void;
  /** Takes the first; nothing when it is empty. */
  shift(): T | undefined;
  /** Takes the first one that matches out of the queue. */
  removeFirst(matches: (item: T) => boolean): T | undefined;
  /** Empties it. */
  clear(): void;
}

// Fewer than these are not worth a copy.
const COMPACT_AFTER = 64;

/** Makes an empty queue. */
export function createFifo<T>(): Fifo<T> {
  let items: T[] = [];
  // Items before it were taken already.
  let head = 0;

  function shift(): T | undefined {
    if (head === items.length) return undefined;
    const item = items[head];
    head += 1;
    if (head === items.length || (head > COMPACT_AFTER && head * 2 > items.length)) {
      items = items.slice(head);
      head = 0;
    }
    return item;
  }

  function removeFirst(matches: (item: T) => boolean): T | undefined {
    const index = items.findIndex((item, at) => at >= head && matches(item));
    if (index === -1) return undefined;
    return index === head ? shift() : items.splice(index, 1)[0];
  }

  return {
    get size() {
      return items.length - head;
    },
    push: (item) => {
      items.push(item);
    },
    shift,
    removeFirst,
    clear: () => {
      items = [];
      head = 0;
    },
  };
}
