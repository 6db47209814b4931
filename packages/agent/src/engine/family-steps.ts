import type { SubagentBoundary } from "../checkpoint/session-boundary.ts";
import type { SessionEvent } from "../events/session-event.ts";
import { type StepEvent, StepTracker } from "./step-tracker.ts";

/**
 * Progress that an agent and its subagents made in an earlier attempt to execute the run. Step numbers continue from
 * there.
 */
export interface FamilyBeginning {
  /** Id of the agent. */
  readonly agentId: string;
  /** Number of model responses so far. */
  readonly begun: number;
  /** Subagents of the agent. */
  readonly children?: readonly SubagentBoundary[] | undefined;
}

/** Steps of an agent and its subagents. Each agent numbers its own steps. See engine: subjects. */
export class FamilySteps {
  readonly #root: StepTracker;
  readonly #children = new Map<string, StepTracker>();

  /** Continues the step numbers of each agent after its last step in an earlier attempt to execute the run. */
  constructor({ agentId, begun, children = [] }: FamilyBeginning) {
    this.#root = new StepTracker(agentId, begun);
    this.#resume(children);
  }

  /**
   * Returns the actor of an event, which the published event names as its origin: the open step of an agent, or the
   * agent.
   */
  actorOf(event: SessionEvent): string {
    return this.#trackerOf(event).actorOf(event);
  }

  /** Returns the step events to publish before an event. */
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
