import type { ControlMessage, ControlSource } from "@switchyard/contracts";

/** Messages of the user for one step. */
export interface StepMessages {
  /** Source from which the engine reads the messages. */
  readonly source: ControlSource;
  /** Messages that the engine has not read. */
  readonly waiting: readonly ControlMessage[];
}

/** Creates the messages of a step. All messages are available when the step starts. */
export function createStepMessages(messages: readonly ControlMessage[]): StepMessages {
  let waiting = messages;
  return {
    get waiting() {
      return waiting;
    },
    source: {
      drain: () => {
        const drained = waiting;
        waiting = [];
        return drained;
      },
      onMessage: () => () => {},
    },
  };
}
