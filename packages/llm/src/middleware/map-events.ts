import type { StreamEvent } from "@switchyard/contracts";

type Result = IteratorResult<StreamEvent, undefined>;

/**
 * Maps every event of a stream, and the error with which the stream fails. Costs one promise per event. If the consumer
 * stops early, the wrapped stream is closed.
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
