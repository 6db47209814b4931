import type { RunInStepsOptions, StepRunner } from "@switchyard/engine";
import { createRunInbox, type RunInbox } from "./run-inbox.ts";
import { createRunWorkflow, type RunWorkflowDefinition } from "./run-workflow.ts";

/** Options of {@link createRunServices}. */
export interface RunServicesOptions extends Pick<RunInStepsOptions, "maxAttempts" | "retryDelayMs"> {
  /** Name of the workflow. Default: `run`. The inbox has the same name with the suffix `-inbox`. */
  readonly name?: string | undefined;
  /** True to store the events of each run in the state of its workflow, for the handler `events`. Default: true. */
  readonly storesEvents?: boolean | undefined;
}

/** Restate services that execute runs. */
export interface RunServices {
  /** Workflow that executes one run for each key. The key is the id of the run. */
  readonly workflow: RunWorkflowDefinition;
  /** Inbox of the runs, a virtual object that the workflow uses. */
  readonly inbox: RunInbox;
  /** Both services, for `restate.serve({ services })`. */
  readonly services: readonly [RunWorkflowDefinition, RunInbox];
}

/**
 * Creates Restate services that execute runs with a runner: a workflow, and the inbox for its signals. Serve both.
 *
 * Each step of a run is a step of the workflow. If the process or the Restate server dies, Restate repeats the
 * workflow, the run continues after its last stored step, and no `unsafe` effect is executed twice. Questions and
 * steering use the workflow's handlers `status`, `answer`, `steer` and `cancel`. An invalid task ends the workflow with
 * a terminal error.
 */
export function createRunServices(runner: StepRunner, options: RunServicesOptions = {}): RunServices {
  const { name = "run", storesEvents = true, maxAttempts, retryDelayMs } = options;
  const inbox = createRunInbox(`${name}-inbox`);
  const workflow = createRunWorkflow(runner, { name, inbox, storesEvents, maxAttempts, retryDelayMs });
  return { workflow, inbox, services: [workflow, inbox] };
}
