import {
  DEPENDENCY,
  type Engine,
  isExecutionEnvironment,
  type RunCluster,
  SESSION_RESULT,
} from "@switchyard/contracts";
import { defineEngine, getDependency } from "@switchyard/engine";
import { expect, onTestFinished, test } from "vitest";
import { call, untilStatus } from "./call-api.ts";
import { describeWithBroker, type TestCluster, useClusters } from "./open-cluster.ts";
import { ASK } from "./open-server.ts";
import { gate } from "./step-engine.ts";

/** Engine whose result is the content of `a.txt`. */
const READING: Engine = defineEngine(
  async (run, _, board) => {
    const environment = getDependency(run.deps, DEPENDENCY.environment, isExecutionEnvironment);
    const text = Buffer.from(await environment.readFile("a.txt")).toString();
    board.set(SESSION_RESULT, { exit_code: 0, final_message: text });
  },
  { name: "served" },
);

/** Returns a request with a file `a.txt`. */
function request(text: string, more: object = {}): FormData {
  const form = new FormData();
  form.set("payload", JSON.stringify({ input: ASK, ...more }));
  form.append("files", new Blob([text]), "a.txt");
  return form;
}

/** Connects to the cluster, and notes the folders of stored and removed files. */
async function noting(cluster: TestCluster, beforePut: () => Promise<void> = async () => undefined) {
  const connection = await cluster.connect();
  onTestFinished(() => connection[Symbol.asyncDispose]());
  const [stored, removed] = [new Set<string>(), new Set<string>()];
  const noted: RunCluster = {
    ...connection,
    putFile: async (runId, folder, file) => {
      await beforePut();
      await connection.putFile(runId, folder, file);
      stored.add(folder);
    },
    removeFiles: async (runId, folder, path) => {
      await connection.removeFiles(runId, folder, path);
      removed.add(folder);
    },
  };
  return { cluster: noted, stored, removed };
}

describeWithBroker("uploaded files of runs that workers execute", () => {
  const createCluster = useClusters();

  test("are not stored if the request is refused", async () => {
    const shared = createCluster();
    const { cluster, stored } = await noting(shared);
    const server = await shared.addServer({ cluster });
    const refused = await call(server, "POST /v1/runs", { body: request("a", { output_schema: { type: 1 } }) });
    expect(refused).toMatchObject({ status: 400, body: { code: "server.bad_body" } });
    expect([...stored]).toEqual([]);
  });

  test("are removed if the broker does not accept all of them", async () => {
    const shared = createCluster();
    const { cluster, removed } = await noting(shared, () => Promise.reject(new Error("the broker is full")));
    const server = await shared.addServer({ cluster });
    expect((await call(server, "POST /v1/runs", { body: request("a") })).status).toBe(500);
    expect([...removed].map((folder) => folder.split(".")[0])).toEqual(["input", "patch"]);
  });

  test("are those of the accepted request, if two servers get requests with one Idempotency-Key at the same time", async () => {
    const shared = createCluster();
    const [storing, accepted] = [gate(), gate()];
    const slow = await noting(shared, async () => {
      storing.open();
      await accepted.opened;
    });
    const [first, second] = [await shared.addServer({ cluster: slow.cluster }), await shared.addServer()];
    const headers = { "idempotency-key": "one" };
    const late = call(first, "POST /v1/runs", { body: request("of the first"), headers });
    await storing.opened;
    const { status, body } = await call(second, "POST /v1/runs", { body: request("of the second"), headers });
    expect(status).toBe(201);
    accepted.open();
    expect((await late).body).toMatchObject({ code: "server.key_reused" });
    expect(slow.removed).toContain([...slow.stored][0]);
    await shared.addWorker(READING);
    const runId = String(body["run_id"]);
    const ended = await untilStatus(second, runId, { status: "completed" });
    expect(ended.body["result"]).toMatchObject({ final_message: "of the second" });
    // A repeated request finds the accepted run.
    const again = await call(first, "POST /v1/runs", { body: request("of the second"), headers });
    expect(again).toMatchObject({ status: 200, body: { run_id: runId } });
  });
});
