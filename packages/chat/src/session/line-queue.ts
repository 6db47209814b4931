import type { ChatInput } from "../input/create-chat-input.ts";

/** Lines that the user entered and that were not handled yet. */
export interface LineQueue {
  /** Resolves with the next line; `undefined` if the user wants to leave. */
  next(): Promise<string | undefined>;
  /** Adds a line as if the user had entered it. */
  add(line: string): void;
  /** Ends the queue: the next line is `undefined`. */
  end(): void;
  /** Sets the function that receives messages while the agent works. `undefined`: lines wait for the end of the turn. */
  steer(listener: ((text: string) => void) | undefined): void;
}

/** Creates the queue of an input line. */
export function createLineQueue(input: ChatInput): LineQueue {
  const waiting: (string | undefined)[] = [];
  let resolveNext: ((line: string | undefined) => void) | undefined;
  let steer: ((text: string) => void) | undefined;
  const add = (line: string | undefined): void => {
    if (resolveNext === undefined) {
      waiting.push(line);
      return;
    }
    resolveNext(line);
    resolveNext = undefined;
  };
  input.onLine((line) => {
    const isMessage = line !== undefined && line.trim() !== "" && !/^\/[a-z?]+(?:\s|$)/.test(line);
    if (steer !== undefined && isMessage) steer(line.trim());
    else add(line);
  });
  return {
    next: () =>
      waiting.length > 0
        ? Promise.resolve(waiting.shift())
        : new Promise((resolve) => {
            resolveNext = resolve;
          }),
    add,
    end: () => add(undefined),
    steer: (listener) => {
      steer = listener;
    },
  };
}
