import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { openDurableScene } from "@switchyard/durable-servers/durable-scene";
import { restateProblem, startRestate } from "@switchyard/durable-servers/restate";
import { surviveKills } from "@switchyard/durable-servers/survive-kills";
import { seededRandom } from "@switchyard/suite/seeded-random";
import { afterAll, expect, test } from "vitest";

// `pnpm test:durable` sets a larger number of kills, with another seed each time. DURABLE_SEED repeats a run.
const REQUESTED = process.env["DURABLE_KILLS"];
const KILLS = Number(REQUESTED ?? 3);
const SEED = Number(process.env["DURABLE_SEED"] ?? (REQUESTED === undefined ? 5 : Date.now() % 1_000_000));
const MS_PER_KILL = 60_000;

function openScene() {
  return openDurableScene({
    folder: fileURLToPath(new URL("..", import.meta.url)),
    external: [/^@restatedev\//u],
    start: startRestate,
    settingsOf: ({ url, adminUrl, workerPort }) => ({ url, adminUrl, port: workerPort }),
  });
}

let scene: ReturnType<typeof openScene> | undefined;

/** Starts the server and bundles the worker, once for all tests. */
function sharedScene(): ReturnType<typeof openScene> {
  scene ??= openScene();
  return scene;
}

afterAll(async () => {
  await (await scene)?.[Symbol.asyncDispose]();
});

test("the agent and a custom engine run as Restate workflows, with questions, steering and cancellation", async ({
  skip,
}) => {
  skip(restateProblem() !== undefined, restateProblem());
  await using worker = await (await sharedScene()).open();
  await worker.call("start", "agent", "agent-1");
  await worker.call("start", "custom", "custom-1");
  await worker.call("start", "asking", "asking-1");
  await worker.call("start", "asking", "asking-2");
  const waiting = (id: string) =>
    expect.poll(() => worker.call("status", id)).toMatchObject({ status: "waiting", questions: [{ id: "ask-1" }] });
  await waiting("asking-1");
  await worker.call("steer", "asking-1", "be quick");
  await worker.call("answer", "asking-1", "ask-1", "yes");
  await waiting("asking-2");
  await worker.call("cancel", "asking-2");
  expect(await worker.call("result", "agent-1")).toMatchObject({
    ...{ run_id: "agent-1", status: "completed", steps: 7, result: { exit_code: 0, final_message: "all paid" } },
  });
  expect(await worker.call("result", "custom-1")).toMatchObject({ status: "completed", steps: 5 });
  expect(await worker.call("result", "asking-1")).toMatchObject({ status: "completed" });
  expect(await worker.call("result", "asking-2")).toMatchObject({
    ...{ status: "cancelled", error: { code: "run.cancelled" } },
  });
  const events: unknown = await worker.call("events", "asking-1");
  const list: readonly { seq: number; type: string }[] = Array.isArray(events) ? events : [];
  expect(list.map(({ seq }) => seq)).toEqual(list.map((_, index) => index + 1));
  expect(list.map(({ type }) => type)).toEqual(
    expect.arrayContaining(["user_replied", "steering_injected", "run_end"]),
  );
});

test("cancelling the Restate workflow stops a step that is being executed", async ({ skip }) => {
  skip(restateProblem() !== undefined, restateProblem());
  const { open, effects } = await sharedScene();
  let isWaiting = false;
  const onMoment = (moment: string): void => {
    isWaiting ||= moment === "waits";
  };
  await using worker = await open({ onMoment });
  await worker.call("start", "endless", "endless-1");
  await expect.poll(() => isWaiting).toBe(true);
  await worker.call("cancelWorkflow", "endless-1");
  await expect(worker.call("result", "endless-1")).rejects.toThrow(/cancel/iu);
  await expect.poll(() => readFile(effects, "utf8")).toContain("endless-1 stopped\n");
});

test(`no unsafe effect is repeated and all runs end, with ${KILLS} kills of process and server [D4] (seed ${SEED})`, {
  timeout: 120_000 + KILLS * MS_PER_KILL,
}, async ({ skip }) => {
  skip(restateProblem() !== undefined, restateProblem());
  const random = seededRandom(SEED);
  const onRound = (figures: string): void => {
    if (REQUESTED !== undefined) console.log(figures);
  };
  const survival = await surviveKills(await sharedScene(), { kills: KILLS, random, onRound });
  if (REQUESTED !== undefined) console.log(JSON.stringify(survival));
  expect(survival.repeated).toEqual([]);
  expect(survival.ended).toBe(survival.runs);
  expect(survival.workerKills + survival.serverKills).toBeGreaterThanOrEqual(KILLS);
  expect(survival.effects).toBeGreaterThan(0);
});
