/** A queue with constant-time operations at both ends. */
export interface Fifo<T> {
  /** Number of items. */
  readonly size: number;
  /** Adds an item at the end. */
  push(item: T): void;
  /** Removes and returns the first item; `undefined` if the queue is empty. */
  shift(): T | undefined;
  /** Removes and returns the first matching item; `undefined` if none matches. */
  removeFirst(matches: (item: T) => boolean): T | undefined;
  /** Removes all items. */
  clear(): void;
}

// Minimum number of consumed items before the array is compacted.
const COMPACT_AFTER = 64;

/** Creates an empty queue. */
export function createFifo<T>(): Fifo<T> {
  let items: T[] = [];
  // Items with a smaller index have already been consumed.
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
