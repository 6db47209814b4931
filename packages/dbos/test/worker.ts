import { DBOS } from "@dbos-inc/dbos-sdk";
import { createTestRunners } from "@switchyard/durable-servers/runs";
import { momentsOf, serveWorker, workerSettings } from "@switchyard/durable-servers/serve-worker";
import { answerRun, cancelRun, createRunWorkflow, RUN_EVENTS, RUN_STATUS, steerRun } from "../src/index.ts";

const { url, effects, folder, dieAt } = workerSettings();
const runners = createTestRunners({
  effects: String(effects),
  folder: String(folder),
  onMoment: momentsOf(Number(dieAt ?? 0)),
});

DBOS.setConfig({
  name: "switchyard-test",
  systemDatabaseUrl: String(url),
  logLevel: "error",
  // The database of a worker that is killed and started again recovers its own workflows.
  executorID: "worker",
  applicationVersion: "1",
});
const workflows: Readonly<Record<string, ReturnType<typeof createRunWorkflow>>> = Object.fromEntries(
  Object.entries(runners).map(([name, runner]) => [
    name,
    DBOS.registerWorkflow(createRunWorkflow(runner, { retryDelayMs: 10 }), { name, maxRecoveryAttempts: 10_000 }),
  ]),
);
await DBOS.launch();

async function eventsOf(id: string): Promise<readonly unknown[]> {
  const events: unknown[] = [];
  for await (const batch of DBOS.readStream<readonly unknown[]>(id, RUN_EVENTS)) events.push(...batch);
  return events;
}

serveWorker({
  async start(engine, id) {
    const workflow = workflows[String(engine)];
    if (workflow === undefined) throw new Error(`there is no engine ${engine}`);
    const session = {
      case_id: String(id),
      messages: ["pay", "pay again"].map((content) => ({ role: "user" as const, content })),
    };
    await DBOS.startWorkflow(workflow, { workflowID: String(id) })({ session });
  },
  result: (id) => DBOS.getResult(String(id), { pollingIntervalMs: 50 }),
  status: (id) => DBOS.getEvent(String(id), RUN_STATUS, { timeoutSeconds: 0.1 }),
  statuses: async () => {
    const found = await DBOS.listWorkflows({});
    return found.map(({ workflowID, status, output, error }) => ({
      id: workflowID,
      status,
      output,
      error: String(error),
    }));
  },
  events: (id) => eventsOf(String(id)),
  answer: (id, promptId, reply) => answerRun(String(id), String(promptId), String(reply)),
  steer: (id, text) => steerRun(String(id), String(text)),
  cancel: (id) => cancelRun(String(id)),
  cancelWorkflow: (id) => DBOS.cancelWorkflow(String(id)),
});
