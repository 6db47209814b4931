import type { StreamEvent } from "@switchyard/contracts";

type Result = IteratorResult<StreamEvent, undefined>;

/**
 * The same stream with every event changed, and the error that it fails with. A thin layer: it costs one promise an event, and leaving it leaves the
 * stream below.
 */
export function mapEvents(
  events: AsyncIterable<StreamEvent>,
  change: (event: StreamEvent) => StreamEvent,
  changeError: (error: unknown) => unknown = (error) => error,
): AsyncIterable<StreamEvent> {
  return {
    [Symbol.asyncIterator]() {
      const inner = events[Symbol.asyncIterator]();
      const changed = (result: Result): Result =>
        result.done === true ? result : { done: false, value: change(result.value) };
      return {
        next: () => inner.next().then(changed, (error: unknown) => Promise.reject(changeError(error))),
        return: async () => {
          await inner.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
