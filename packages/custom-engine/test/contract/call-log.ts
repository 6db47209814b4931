import { behaviourOfCall, type CallBehaviour, type EngineBehaviour, type ReceivedCall } from "@switchyard/testkit";

/** What an engine got, what it is to do, and what of it still lives. */
export interface CallLog {
  readonly received: ReceivedCall[];
  /** Notes a call; gives what the engine does in it. */
  note(call: ReceivedCall): CallBehaviour;
  /** Notes that something of the engine lives; to be called when it is gone. */
  begin(): () => void;
  whenReceived(count: number): Promise<void>;
  whenOver(): Promise<void>;
}

/** Makes the log of one engine. */
export function createCallLog(behaviour: EngineBehaviour): CallLog {
  const received: ReceivedCall[] = [];
  const waiting = new Set<() => void>();
  let alive = 0;
  const until = (condition: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!condition()) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  const changed = (): void => {
    for (const look of waiting) look();
  };
  return {
    received,
    note(call) {
      received.push(call);
      changed();
      return behaviourOfCall(behaviour, received.length - 1);
    },
    begin() {
      alive += 1;
      return () => {
        alive -= 1;
        changed();
      };
    },
    whenReceived: (count) => until(() => received.length >= count),
    whenOver: () => until(() => alive === 0),
  };
}
