import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { beginAnswer, endAnswer, startLoopbackModel } from "./loopback-model.ts";
import { makeFolder, startSwitchyard, switchyard } from "./start-switchyard.ts";

const KEY = { ANTHROPIC_API_KEY: "test-key-that-is-not-real" };

/** Starts a model that responds to each request with "Done.". */
function startDoneModel(): ReturnType<typeof startLoopbackModel> {
  return startLoopbackModel((response) => {
    beginAnswer(response);
    endAnswer(response, "Done.");
  });
}

test("runs of several processes share the budget of a day, and its usage can be shown", async () => {
  const { baseUrl, requests } = await startDoneModel();
  const folder = await makeFolder();
  const budgets = join(folder, "budgets.yaml");
  await writeFile(budgets, "user: { usd_per_day: 0.00002, concurrent_runs: 2 }\n");
  const place = ["--state", join(folder, "state"), "--budgets", budgets];
  const words = ["run", "--model", "anthropic/claude-sonnet-4-5", "--base-url", baseUrl, ...place, "Work."];
  // One call costs 18 millionths of a US dollar.
  const runs = [await switchyard(words, { env: KEY }), await switchyard(words, { env: KEY })];
  expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  const refused = await switchyard(words, { env: KEY });
  expect(refused.exitCode).not.toBe(0);
  expect(refused.stderr).toMatch(/^error: The budget of user for the day .* is used up.*\nhint: /m);
  expect(requests()).toBe(2);
  const inside = await switchyard([...words, "--workspace", folder], { env: KEY });
  expect(inside.stderr).toMatch(/^error: The setting budgets is invalid: .* is inside the workspace, .*\nhint: /m);
  expect(requests()).toBe(2);
  const shown = await switchyard(["budget", ...place, "--json"]);
  expect(JSON.parse(shown.stdout)).toMatchObject({
    accounts: [{ account: "user", usd: 0.000036, usd_per_day: 0.00002, runs: 0, concurrent_runs: 2 }],
  });
  const text = await switchyard(["budget", ...place]);
  expect(text.stdout).toMatch(/^user: \$0\.00 of \$0\.00, \d+ tokens, 0 of 2 active runs$/m);
});

test("a server refuses runs of an owner whose budget is used up", async () => {
  const { baseUrl, requests } = await startDoneModel();
  const cwd = await makeFolder();
  await writeFile(join(cwd, "budgets.yaml"), "owners: { default: { usd_per_day: 0.00002 } }\n");
  const place = [
    ...["--port", "0", "--env", "local", "--approve", "never"],
    "--state",
    "served",
    "--budgets",
    "budgets.yaml",
  ];
  const words = ["serve", "--model", "anthropic/claude-sonnet-4-5", "--base-url", baseUrl, ...place];
  const { command } = await startSwitchyard(words, { cwd, env: KEY });
  onTestFinished(async () => {
    command.kill("SIGKILL");
    await command;
  });
  const [printed] = await once(command.stdout, "data");
  const [url = ""] = /http:\/\/\S+/u.exec(String(printed)) ?? [];
  const post = async (path: string, body: object): Promise<Response> =>
    fetch(url + path, {
      ...{ method: "POST", body: JSON.stringify(body) },
      headers: { "content-type": "application/json" },
    });
  const input = { messages: [{ role: "user", content: "Work." }] };
  for (let run = 0; run < 2; run += 1) expect((await post("/v1/run", input)).status).toBe(200);
  for (const refused of [await post("/v1/run", input), await post("/v1/runs", { input })]) {
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: "budget.day_exceeded" });
  }
  expect(requests()).toBe(2);
});
