import * as restate from "@restatedev/restate-sdk";
import { createTestRunners } from "@switchyard/durable-servers/runs";
import { momentsOf, serveWorker, workerSettings } from "@switchyard/durable-servers/serve-worker";
import { createRunServices } from "../src/index.ts";

const { url, adminUrl, port, effects, folder, dieAt } = workerSettings();
const runners = createTestRunners({
  effects: String(effects),
  folder: String(folder),
  onMoment: momentsOf(Number(dieAt ?? 0)),
});
const services = Object.entries(runners).flatMap(([name, runner]) => {
  const { workflow, inbox } = createRunServices(runner, { name, retryDelayMs: 10 });
  return [workflow, inbox];
});
await restate.serve({ services, port: Number(port) });

async function post(address: string, body?: unknown): Promise<unknown> {
  const content = { "content-type": "application/json" };
  const more = body === undefined ? {} : { headers: content, body: JSON.stringify(body) };
  const response = await fetch(address, { method: "POST", ...more });
  const text = await response.text();
  if (!response.ok) throw new Error(`${address} responded with ${response.status}: ${text}`);
  return text === "" ? null : JSON.parse(text);
}

const handler = (engine: unknown, id: unknown, name: string): string => `${url}/${engine}/${id}/${name}`;

await post(`${adminUrl}/deployments`, { uri: `http://127.0.0.1:${port}`, force: true });

const engines = new Map<unknown, unknown>();
const invocations = new Map<unknown, unknown>();

serveWorker({
  async start(engine, id) {
    engines.set(id, engine);
    const messages = ["pay", "pay again"].map((content) => ({ role: "user", content }));
    const sent = await post(handler(engine, id, "run/send"), { session: { case_id: String(id), messages } });
    invocations.set(id, Object(sent).invocationId);
  },
  async result(id) {
    const response = await fetch(`${url}/restate/workflow/${engines.get(id)}/${id}/attach`);
    if (!response.ok) throw new Error(`the run ended with ${response.status}: ${await response.text()}`);
    return response.json();
  },
  status: (id) => post(handler(engines.get(id), id, "status")),
  events: (id) => post(handler(engines.get(id), id, "events"), {}),
  answer: (id, promptId, reply) => post(handler(engines.get(id), id, "answer"), { prompt_id: promptId, reply }),
  steer: (id, text) => post(handler(engines.get(id), id, "steer"), text),
  async cancelWorkflow(id) {
    await fetch(`${adminUrl}/invocations/${invocations.get(id)}/cancel`, { method: "PATCH" });
  },
  cancel: (id) => post(handler(engines.get(id), id, "cancel")),
});
