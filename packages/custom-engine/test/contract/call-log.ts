import { behaviourOfCall, type CallBehaviour, type EngineBehaviour, type ReceivedCall } from "@switchyard/testkit";

/** The calls of an engine, its intended behaviour, and its parts that still run. */
export interface CallLog {
  readonly received: ReceivedCall[];
  /** Records a call. Returns the engine's behaviour in this call. */
  note(call: ReceivedCall): CallBehaviour;
  /** Records that a part of the engine runs. The returned function must be called at its end. */
  begin(): () => void;
  whenReceived(count: number): Promise<void>;
  whenOver(): Promise<void>;
}

/** Creates the log of one engine. */
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
