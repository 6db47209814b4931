import { DBOS } from "@dbos-inc/dbos-sdk";
import {
  type DurableHost,
  type DurableRunInput,
  type DurableRunOutcome,
  type RunInStepsOptions,
  type RunProgress,
  type RunSignal,
  runInSteps,
  type StepRunner,
  sanitiseId,
} from "@switchyard/engine";
import { RUN_EVENTS, RUN_SIGNALS, RUN_STATUS, type RunStatusEvent } from "./run-topics.ts";

/** Options of {@link createRunWorkflow}. */
export interface RunWorkflowOptions extends Pick<RunInStepsOptions, "maxAttempts" | "retryDelayMs"> {
  /** True to write the stored events of the run to the DBOS stream {@link RUN_EVENTS}. Default: true. */
  readonly streamsEvents?: boolean | undefined;
}

/** Workflow function that executes one run. */
export type RunWorkflow = (input: DurableRunInput) => Promise<DurableRunOutcome>;

/** Maximum time that one `recv` call waits for an answer, in seconds. To wait longer, `recv` is called again. */
const WAIT_SECONDS = 24 * 60 * 60;

function receive(timeoutSeconds: number): Promise<RunSignal | null> {
  return DBOS.recv<RunSignal>(RUN_SIGNALS, { timeoutSeconds });
}

async function receiveSignals(wait: boolean): Promise<readonly RunSignal[]> {
  const signals: RunSignal[] = [];
  while (wait && signals.length === 0) {
    const signal = await receive(WAIT_SECONDS);
    if (signal !== null) signals.push(signal);
  }
  for (let signal = await receive(0); signal !== null; signal = await receive(0)) signals.push(signal);
  return signals;
}

async function report({ events, ...status }: RunProgress, streamsEvents: boolean): Promise<void> {
  await DBOS.setEvent<RunStatusEvent>(RUN_STATUS, status);
  if (streamsEvents && events.length > 0) await DBOS.writeStream(RUN_EVENTS, events);
}

/**
 * Creates a workflow function that executes a run with a runner. Register the function with `DBOS.registerWorkflow`
 * before `DBOS.launch`. The id of the workflow, sanitised, is the id of the run.
 *
 * Each step of the run is a DBOS step. If the process or the database dies, DBOS repeats the workflow, the run
 * continues after its last stored step, and no `unsafe` effect is executed twice. The workflow accepts `steerRun`,
 * `answerRun` and `cancelRun`. An invalid task rejects the workflow with `config.invalid`.
 */
export function createRunWorkflow(runner: StepRunner, options: RunWorkflowOptions = {}): RunWorkflow {
  const { streamsEvents = true, maxAttempts, retryDelayMs } = options;
  const host: DurableHost = {
    step: (name, execute) => DBOS.runStep(() => execute(DBOS.stepStatus?.cancelSignal), { name }),
    signals: ({ wait }) => receiveSignals(wait),
    sleep: (delayMs) => DBOS.sleep(delayMs),
    onStep: (progress) => report(progress, streamsEvents),
  };
  return async ({ prompt, session }) => {
    const runId = sanitiseId(DBOS.workflowID ?? "");
    const outcome = await runInSteps(runner, host, { runId, prompt, session, maxAttempts, retryDelayMs });
    if (streamsEvents) await DBOS.closeStream(RUN_EVENTS);
    return outcome;
  };
}
