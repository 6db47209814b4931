import type { Envelope } from "@switchyard/contracts";

/** Prefix of the names under which a workflow's state contains the events of a run. The number of the step follows. */
const EVENTS = "events/";

/** State of a workflow that contains the events of a run. */
export interface WorkflowState {
  /** Returns the names of all stored values, in any order. */
  stateKeys(): Promise<readonly string[]>;
  /** Returns the events that are stored under a name; `null` if there are none. */
  get(name: string): Promise<readonly Envelope[] | null>;
}

/** Returns the name under which the events of a step are stored. */
export function eventsKey(step: number): string {
  return `${EVENTS}${step}`;
}

/**
 * Returns the stored events of a run whose sequence numbers are higher than `after`, in the order of the run's steps.
 */
export async function eventsAfter(state: WorkflowState, after: number): Promise<readonly Envelope[]> {
  const names = (await state.stateKeys()).filter((name) => name.startsWith(EVENTS));
  const steps = names.map((name) => Number(name.slice(EVENTS.length))).sort((left, right) => left - right);
  const found: Envelope[] = [];
  for (const step of steps) {
    const events = (await state.get(eventsKey(step))) ?? [];
    found.push(...events.filter(({ seq = 0 }) => seq > after));
  }
  return found;
}
