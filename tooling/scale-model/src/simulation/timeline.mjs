// @ts-check

/** @typedef {{ timeS: number, order: number, action: () => void }} Entry */

/** @param {Entry} left @param {Entry} right */
function isBefore(left, right) {
  return left.timeS < right.timeS || (left.timeS === right.timeS && left.order < right.order);
}

/** Simulated clock with the events that are to come, in a binary heap. */
export class Timeline {
  /** Current time, in seconds. */
  nowS = 0;
  /** @type {Entry[]} */
  #heap = [];
  #order = 0;

  /**
   * Plans an action. Actions of the same time are executed in the order in which they were planned.
   * @param {number} delayS
   * @param {() => void} action
   */
  after(delayS, action) {
    const entry = { timeS: this.nowS + delayS, order: this.#order++, action };
    const heap = this.#heap;
    let place = heap.length;
    heap.push(entry);
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || !isBefore(entry, above)) break;
      heap[place] = above;
      heap[parent] = entry;
      place = parent;
    }
  }

  /** Executes all actions up to a time. @param {number} endS */
  runUntil(endS) {
    for (let first = this.#heap[0]; first !== undefined && first.timeS <= endS; first = this.#heap[0]) {
      this.#removeFirst();
      this.nowS = first.timeS;
      first.action();
    }
    if (Number.isFinite(endS)) this.nowS = endS;
  }

  #removeFirst() {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let place = 0;
    for (;;) {
      const left = 2 * place + 1;
      const [one, two] = [heap[left], heap[left + 1]];
      if (one === undefined) break;
      const child = two !== undefined && isBefore(two, one) ? two : one;
      if (!isBefore(child, last)) break;
      heap[place] = child;
      place = child === one ? left : left + 1;
    }
    heap[place] = last;
  }
}
