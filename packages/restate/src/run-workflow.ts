import * as restate from "@restatedev/restate-sdk";
import { EngineError, type Envelope, type UserReply } from "@switchyard/contracts";
import {
  type DurableHost,
  type DurableRunInput,
  type DurableRunOutcome,
  type RunInStepsOptions,
  type RunProgress,
  type RunSignal,
  runInSteps,
  type StepRunner,
} from "@switchyard/engine";
import type { RunInbox, RunInboxHandlers } from "./run-inbox.ts";
import { eventsAfter, eventsKey } from "./stored-events.ts";

/** Status of a run and its open questions, after its last stored step. */
export type RunStatusView = Omit<RunProgress, "events">;

/** Answer to a question of a run. */
export interface RunAnswer {
  /** Id of the question in the run's status. */
  readonly prompt_id: string;
  /** The answer. */
  readonly reply: string | UserReply;
}

/** Handlers of a run, a Restate workflow. */
export interface RunWorkflowHandlers {
  /** Executes the run. */
  run(context: restate.WorkflowContext, input: DurableRunInput): Promise<DurableRunOutcome>;
  /** Returns the run's status; `null` before its first step. */
  status(context: restate.WorkflowSharedContext): Promise<RunStatusView | null>;
  /** Returns the stored events of the run whose sequence numbers are higher than `after`. */
  events(
    context: restate.WorkflowSharedContext,
    after: { readonly after?: number } | null,
  ): Promise<readonly Envelope[]>;
  /** Sends a message to the engine, which receives it in the run's next step. */
  steer(context: restate.WorkflowSharedContext, text: string): Promise<void>;
  /** Sends a message that the engine handles after its current task. */
  followUp(context: restate.WorkflowSharedContext, text: string): Promise<void>;
  /** Answers a question. */
  answer(context: restate.WorkflowSharedContext, answer: RunAnswer): Promise<void>;
  /** Cancels the run before its next step. The run ends with the status `cancelled`. */
  cancel(context: restate.WorkflowSharedContext): Promise<void>;
}

/** Restate workflow that executes one run per key. */
export type RunWorkflowDefinition = restate.WorkflowDefinition<string, RunWorkflowHandlers>;

/** Options of {@link createRunWorkflow}. */
export interface RunWorkflowOptions extends Pick<RunInStepsOptions, "maxAttempts" | "retryDelayMs"> {
  /** Name of the workflow. */
  readonly name: string;
  /** Inbox of the runs. */
  readonly inbox: RunInbox;
  /** True to store the events of the runs in the workflow's state. */
  readonly storesEvents: boolean;
}

const STATUS = "status";

/**
 * Converts an error to an error that ends the workflow. Restate would otherwise repeat the workflow, which would fail
 * again.
 */
function terminal(error: unknown): unknown {
  return EngineError.is(error) ? new restate.TerminalError(error.message, { errorCode: 400 }) : error;
}

/**
 * Executes a function as a step of the workflow. If Restate abandons this execution or cancels the workflow, the
 * function is told to stop, because a later result would not be stored.
 */
async function runStep<T>(
  context: restate.WorkflowContext,
  name: string,
  execute: (signal?: AbortSignal) => Promise<T>,
): Promise<T> {
  const cancelled = new AbortController();
  const signal = AbortSignal.any([cancelled.signal, context.request().attemptCompletedSignal]);
  try {
    return await context.run(name, async () => {
      try {
        return await execute(signal);
      } catch (error) {
        throw terminal(error);
      }
    });
  } catch (error) {
    cancelled.abort();
    throw error;
  }
}

async function receiveSignals(
  context: restate.WorkflowContext,
  inbox: RunInbox,
  wait: boolean,
): Promise<readonly RunSignal[]> {
  const client = context.objectClient<RunInboxHandlers>(inbox, context.key);
  if (!wait) return client.take(null);
  const { id, promise } = context.awakeable<null>();
  const signals = await client.take(id);
  if (signals.length > 0) return signals;
  await promise;
  return client.take(null);
}

function hostOf(context: restate.WorkflowContext, { inbox, storesEvents }: RunWorkflowOptions): DurableHost {
  return {
    step: (name, execute) => runStep(context, name, execute),
    signals: ({ wait }) => receiveSignals(context, inbox, wait),
    sleep: (delayMs) => context.sleep(delayMs),
    onStep: async ({ events, ...status }) => {
      context.set(STATUS, status);
      if (storesEvents && events.length > 0) context.set(eventsKey(status.step), events);
    },
  };
}

/** Creates the workflow that executes one run per key. */
export function createRunWorkflow(runner: StepRunner, options: RunWorkflowOptions): RunWorkflowDefinition {
  const { name, inbox, maxAttempts, retryDelayMs } = options;
  const push = (context: restate.WorkflowSharedContext, signal: RunSignal): void => {
    context.objectSendClient<RunInboxHandlers>(inbox, context.key).push(signal);
  };
  return restate.workflow({
    name,
    handlers: {
      async run(context: restate.WorkflowContext, { prompt, session }: DurableRunInput): Promise<DurableRunOutcome> {
        const more = { runId: context.key, prompt, session, maxAttempts, retryDelayMs };
        return runInSteps(runner, hostOf(context, options), more);
      },
      status: async (context: restate.WorkflowSharedContext) => context.get<RunStatusView>(STATUS),
      events: async (context: restate.WorkflowSharedContext, given: { readonly after?: number } | null) =>
        eventsAfter(context, given?.after ?? 0),
      steer: async (context: restate.WorkflowSharedContext, text: string) => push(context, { type: "steer", text }),
      followUp: async (context: restate.WorkflowSharedContext, text: string) =>
        push(context, { type: "follow_up", text }),
      answer: async (context: restate.WorkflowSharedContext, { prompt_id, reply }: RunAnswer) =>
        push(context, { type: "answer", prompt_id, reply }),
      cancel: async (context: restate.WorkflowSharedContext) => push(context, { type: "cancel" }),
    },
  });
}
