import type { SubagentBoundary } from "../checkpoint/session-boundary.ts";
import type { SessionEvent } from "../events/session-event.ts";
import { type StepEvent, StepTracker } from "./step-tracker.ts";

/** How far the agent at the root is, and where its subagents go on. */
export interface FamilyBeginning {
  /** Name of the agent. */
  readonly agentId: string;
  /** Answers of its model so far. */
  readonly begun: number;
  /** Its subagents. */
  readonly children?: readonly SubagentBoundary[] | undefined;
}

/** The steps of an agent and of its subagents: each has its own, under its own name. engine: subjects. */
export class FamilySteps {
  readonly #root: StepTracker;
  readonly #children = new Map<string, StepTracker>();

  /** Goes on with the steps of an earlier attempt. */
  constructor({ agentId, begun, children = [] }: FamilyBeginning) {
    this.#root = new StepTracker(agentId, begun);
    this.#resume(children);
  }

  /** Who an event is about. */
  actorOf(event: SessionEvent): string {
    return this.#trackerOf(event).actorOf(event);
  }

  /** The ends and beginnings of steps that an event brings with it. */
  take(event: SessionEvent): readonly StepEvent[] {
    return this.#trackerOf(event).take(event);
  }

  #resume(children: readonly SubagentBoundary[]): void {
    for (const { id, status, boundary } of children) {
      const begun = boundary.turns.slice(boundary.progress.firstTurn).filter(({ type }) => type === "assistant").length;
      this.#children.set(id, new StepTracker(id, begun, status === "running"));
      this.#resume(boundary.children ?? []);
    }
  }

  #trackerOf({ agentId }: SessionEvent): StepTracker {
    if (agentId === undefined) return this.#root;
    let tracker = this.#children.get(agentId);
    if (tracker === undefined) {
      tracker = new StepTracker(agentId);
      this.#children.set(agentId, tracker);
    }
    return tracker;
  }
}
