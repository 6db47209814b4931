import { once } from "node:events";
import { chmod, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { natsServerProblem, startNatsServer } from "@switchyard/nats-server";
import { openNatsStore } from "@switchyard/stores/nats";
import { expect, onTestFinished, test } from "vitest";
import { beginAnswer, endAnswer, startLoopbackModel } from "./loopback-model.ts";
import { startMockModel } from "./mock-model.ts";
import { BIN, makeFolder, startSwitchyard, switchyard } from "./start-switchyard.ts";

const KEY = { ANTHROPIC_API_KEY: "test-key-that-is-not-real" };

/** Our own runtime package. */
const OWN_RUNTIME = join(import.meta.dirname, "../../../packages/runtimes/agent-runtimes/switchyard");

/** Starts a model that responds to each request with "Done.". */
function startDoneModel(): ReturnType<typeof startLoopbackModel> {
  return startLoopbackModel((response) => {
    beginAnswer(response);
    endAnswer(response, "Done.");
  });
}

/** Starts a command that runs until the test ends, and resolves when it has printed something to a stream. */
async function startUntilEnd(
  words: readonly string[],
  {
    stream,
    ...options
  }: { readonly stream: "stdout" | "stderr"; readonly cwd: string; readonly env?: Record<string, string> },
): Promise<string> {
  const { command } = await startSwitchyard(words, { env: KEY, ...options });
  onTestFinished(async () => {
    command.kill("SIGKILL");
    await command;
  });
  const [printed] = await once(command[stream], "data");
  return String(printed);
}

/** Starts a server, and resolves with its URL. */
async function startServer(
  words: readonly string[],
  options: { readonly cwd: string; readonly env?: Record<string, string> },
): Promise<string> {
  const printed = await startUntilEnd(["serve", "--port", "0", ...words], { ...options, stream: "stdout" });
  return /http:\/\/\S+/u.exec(printed)?.[0] ?? "";
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

test("evaluations and tasks of other programs count in the budget of the user, and wait for each other", async () => {
  const { baseUrl, requests } = await startDoneModel();
  const settings = await makeFolder();
  const suite = "engines: [agent]\ncases: [{ id: one, prompt: Go. }, { id: two, prompt: Go. }]\n";
  const cwd = await makeFolder({ "eval.yaml": suite });
  const HOME = await makeFolder();
  await mkdir(join(HOME, ".config", "switchyard"), { recursive: true });
  const file = join(settings, "budgets.yaml");
  await writeFile(join(HOME, ".config", "switchyard", "config.yaml"), `budgets: ${file}\n`);
  const options = { cwd, env: { ...KEY, HOME } };
  const model = ["--model", "anthropic/claude-sonnet-4-5", "--base-url", baseUrl];
  const evaluate = () => switchyard(["eval", "eval.yaml", ...model, "--concurrency", "2"], options);
  const request = { schema: "homeboy/agent-task-request/v1", task_id: "t", instructions: "Go." };
  const input = JSON.stringify({ ...request, executor: { backend: "switchyard" }, workspace: { root: cwd } });
  const execute = () => switchyard(["runtimes", "exec", "agent", ...model], { ...options, input });
  await writeFile(file, "user: { usd_per_day: 0.00005, concurrent_runs: 1 }\n");
  // Without waiting, the second case would be refused.
  expect(await evaluate()).toMatchObject({ exitCode: 0, stderr: "" });
  const task = await execute();
  expect(task.stdout).toContain('"succeeded"');
  expect(task.stderr).not.toContain("note:");
  const shown = await switchyard(["budget", "--json"], options);
  expect(JSON.parse(shown.stdout)).toMatchObject({ accounts: [{ account: "user", usd: 0.000054, runs: 0 }] });
  expect((await execute()).stdout).toContain("budget.day_exceeded");
  expect((await evaluate()).exitCode).not.toBe(0);
  expect(requests()).toBe(3);
});

test("a model that judges is refused like the model of a run if the budget limits the cost and its price is unknown", async () => {
  const verdict = '{"results": [{"criterion_id": "c1", "passed": true, "evidence": "It is."}]}';
  const { baseUrl, mock } = await startMockModel("anthropic", ["Done.", "Done.", verdict]);
  const settings = await makeFolder({ "budgets.yaml": "user: { usd_per_day: 1 }\n" });
  const judge = (name: string): string => `judge: { model: anthropic/${name}, base_url: "${baseUrl}" }\n`;
  const cases = "engines: [agent]\ncases: [{ id: one, prompt: Go., assert: [{ judge: It is done. }] }]\n";
  const cwd = await makeFolder({
    "unknown.yaml": judge("a-model-without-price") + cases,
    "known.yaml": judge("claude-sonnet-4-5") + cases,
  });
  const options = { cwd, env: { ...KEY, HOME: await makeFolder() } };
  const model = ["--model", "anthropic/claude-sonnet-4-5", "--base-url", baseUrl];
  const budgets = ["--budgets", join(settings, "budgets.yaml")];
  const evaluate = (file: string) => switchyard(["eval", file, ...model, ...budgets, "--json"], options);
  expect((await evaluate("unknown.yaml")).stdout).toContain("the price of the model a-model-without-price");
  expect(mock.getRequests()).toHaveLength(1);
  const { usage, trials } = JSON.parse((await evaluate("known.yaml")).stdout);
  expect(trials[0].outcome).toBe("PASS");
  const shown = await switchyard(["budget", "--json", ...budgets], options);
  const [user] = JSON.parse(shown.stdout).accounts;
  expect(user).toMatchObject({ account: "user", runs: 0 });
  // The run of the first evaluation has used as much as that of the second one.
  const { cost_usd: ofRun } = trials[0].usage;
  expect(user.usd).toBeCloseTo(2 * ofRun + trials[0].judge_usage.cost_usd, 9);
  expect(usage.cost_usd).toBeGreaterThan(ofRun);
});

/** Program of a task that reports usage, and names the seat of its run, but makes no call. */
const REPORTING = `
const { task_id } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
const metadata = { input_tokens: 1, output_tokens: 1, cost_usd: 0.000018, budget_seat: process.env.SWITCHYARD_BUDGET_SEAT };
console.log(JSON.stringify({ schema: "homeboy/agent-task-outcome/v1", task_id, status: "succeeded", summary: "Done.", metadata }));
`;

/**
 * Creates a home folder with our own runtime package and with settings, and returns the options for commands. The shell
 * script `task` is executed before the command of the package. It can use the variables URL, BIN and NODE, and the
 * arguments of the command.
 */
async function makeHome({ task, baseUrl, ...settings }: { task: string; baseUrl: string; budgets?: string }) {
  const HOME = await makeFolder();
  const folder = join(HOME, ".config", "switchyard");
  await mkdir(join(folder, "agent-runtimes"), { recursive: true });
  await symlink(OWN_RUNTIME, join(folder, "agent-runtimes", "switchyard"));
  if (settings.budgets !== undefined) {
    await writeFile(join(folder, "budgets.yaml"), settings.budgets);
    await writeFile(join(folder, "config.yaml"), `budgets: ${join(folder, "budgets.yaml")}\n`);
  }
  const variables = `URL=${baseUrl}\nBIN=${BIN}\nNODE=${process.execPath}\n`;
  const bin = await makeFolder({
    "report.cjs": REPORTING,
    switchyard: `#!/bin/sh\n${variables}case "$1" in runtimes) ${task};; esac\nexec $NODE $BIN "$@"\n`,
  });
  await chmod(join(bin, "switchyard"), 0o755);
  const PATH = `${bin}${delimiter}${process.env["PATH"]}`;
  return { cwd: await makeFolder(), env: { ...KEY, HOME, PATH } };
}

/** Starts a run whose engine is our own runtime package. */
const RUN_TASK = ["run", "--engine", "runtime:switchyard", "--model", "anthropic/claude-sonnet-4-5"];
/** Script of a task that makes one call, and then loses its outcome. */
const LOST = '$NODE $BIN "$@" --base-url $URL > $HOME/lost; exit 3';

test.each([
  ["of a task", 'set -- "$@" --base-url $URL', 0],
  // The task is executed as the task of a second command.
  [
    "of a nested task",
    'if mkdir $HOME/outer; then set -- runtimes exec runtime:switchyard; else set -- "$@" --base-url $URL; fi',
    0,
  ],
  ["of a task without an outcome", LOST, 1],
  ["that a task reports without having counted it", 'exec $NODE "$(dirname "$0")/report.cjs"', 0],
])("the usage %s counts once, and the task does not wait for the place of its own run", async (_, task, exitCode) => {
  const { baseUrl } = await startDoneModel();
  const options = await makeHome({ task, baseUrl, budgets: "user: { usd_per_day: 1, concurrent_runs: 1 }\n" });
  const run = await switchyard([...RUN_TASK, "--timeout", "60s", "Go."], options);
  expect(run.exitCode === 0 ? 0 : 1).toBe(exitCode);
  const shown = await switchyard(["budget", "--json"], options);
  expect(JSON.parse(shown.stdout)).toMatchObject({ accounts: [{ account: "user", usd: 0.000018, runs: 0 }] });
});

test("a task uses the budget file and the state folder of its run, and no budget if it cannot open them", async () => {
  const { baseUrl } = await startDoneModel();
  const settings = await makeFolder({ "budgets.yaml": "user: { usd_per_day: 1, concurrent_runs: 1 }\n" });
  const [file, state] = [join(settings, "budgets.yaml"), join(settings, "state")];
  const place = ["--budgets", file, "--state", state];
  const used = async (): Promise<unknown> => {
    const [user] = JSON.parse((await switchyard(["budget", "--json", ...place])).stdout).accounts;
    return user.usd;
  };
  // The usage of a task without an outcome counts only if the task counts it itself.
  const counting = await makeHome({ task: LOST, baseUrl, budgets: "user: { concurrent_runs: 0 }\n" });
  await switchyard([...RUN_TASK, "--timeout", "60s", ...place, "Go."], counting);
  expect(await used()).toBe(0.000018);
  const elsewhere = await makeHome({
    task: `mv ${file} ${file}.moved; set -- "$@" --base-url $URL; $NODE $BIN "$@" 2> $HOME/notes; mv ${file}.moved ${file}; exit 0`,
    baseUrl,
  });
  expect(await switchyard([...RUN_TASK, "--timeout", "60s", ...place, "Go."], elsewhere)).toMatchObject({
    exitCode: 0,
  });
  expect(await readFile(join(elsewhere.env.HOME, "notes"), "utf8")).toContain("budgets: the caller counts the usage: ");
  expect(await used()).toBe(0.000036);
});

test.each([
  ["is interrupted", "60s", "SIGINT" as const],
  ["exceeds its time limit", "12s", undefined],
])("the usage of a task whose run %s during a model call counts once", async (_, limit, signal) => {
  const { baseUrl, requests } = await startLoopbackModel(beginAnswer);
  const options = await makeHome({
    ...{ task: 'exec $NODE $BIN "$@" --base-url $URL 2> $HOME/events', baseUrl },
    budgets: "user: { usd_per_day: 1, concurrent_runs: 1 }\n",
  });
  const { command } = await startSwitchyard([...RUN_TASK, "--timeout", limit, "Go."], options);
  const events = (): Promise<string> => readFile(join(options.env.HOME, "events"), "utf8").catch(() => "");
  if (signal !== undefined) {
    await expect.poll(events, { timeout: 60_000 }).toContain("assistant_text_start");
    command.kill(signal);
  }
  await command;
  const shown = await switchyard(["budget", "--json"], options);
  // The model has reported one token of input. On a slow machine, the time limit may end the task before its call.
  const used = { tokens: requests(), usd: requests() * 0.000003 };
  expect(JSON.parse(shown.stdout)).toMatchObject({ accounts: [{ account: "user", ...used, runs: 0 }] });
});

test("the tasks of a server's runs count in the budget of the run's owner, and nowhere without one", async () => {
  const { baseUrl } = await startDoneModel();
  const options = await makeHome({ task: LOST, baseUrl, budgets: "user: { usd_per_day: 1 }\n" });
  const [ADA, BOB] = ["ada", "bob"].map((name) => `${name}-token-of-nobody-0123456789`);
  const settings = await makeFolder({
    "budgets.yaml": "owners: { ada: { usd_per_day: 1 } }\n",
    tokens: `${ADA} owner=ada\n${BOB} owner=bob\n`,
  });
  await chmod(join(settings, "tokens"), 0o600);
  const place = ["--budgets", join(settings, "budgets.yaml"), "--state", join(settings, "state")];
  const rights = ["--env", "local", "--approve", "never", "--tokens", join(settings, "tokens")];
  const url = await startServer(["--engine", "runtime:switchyard", ...rights, ...place], options);
  for (const token of [ADA, BOB]) {
    const input = { model: "anthropic/claude-sonnet-4-5", messages: [{ role: "user", content: "Go." }] };
    const body = JSON.stringify(input);
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetch(`${url}/v1/run`, { method: "POST", headers, body });
    expect(await response.text()).toContain("The command ended with code 3.");
  }
  const ofOwners = await switchyard(["budget", "--json", ...place], options);
  expect(JSON.parse(ofOwners.stdout)).toMatchObject({ accounts: [{ account: "owner:ada", usd: 0.000018, runs: 0 }] });
  const ofUser = await switchyard(["budget", "--json"], options);
  expect(JSON.parse(ofUser.stdout)).toMatchObject({ accounts: [{ account: "user", usd: 0, runs: 0 }] });
});

test("a server refuses runs of an owner whose budget is used up", async () => {
  const { baseUrl, requests } = await startDoneModel();
  const cwd = await makeFolder();
  await writeFile(join(cwd, "budgets.yaml"), "owners: { default: { usd_per_day: 0.00002 } }\n");
  const place = ["--env", "local", "--approve", "never", "--state", "served", "--budgets", "budgets.yaml"];
  const words = ["--model", "anthropic/claude-sonnet-4-5", "--base-url", baseUrl, ...place];
  const url = await startServer(words, { cwd });
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

test("neither a server with a queue nor a worker starts if it cannot read the usage of the budgets", async ({
  skip,
}) => {
  skip(natsServerProblem() !== undefined, natsServerProblem());
  const broker = await startNatsServer();
  onTestFinished(() => broker.stop());
  const cwd = await makeFolder({ "budgets.yaml": "owners: { default: { concurrent_runs: 1 } }\n" });
  const store = await openNatsStore({ servers: broker.url, name: "team", filesDirectory: join(cwd, "runs") });
  // A newer release has stored the usage.
  expect(await store.documents?.replace("budgets", JSON.stringify({ format: 1_000 }), undefined)).toBeDefined();
  await store.close();
  const shared = ["--queue", `${broker.url}/team`, "--budgets", "budgets.yaml"];
  const model = ["--engine", "agent", "--model", "anthropic/claude-sonnet-4-5", "--approve", "never"];
  for (const words of [
    ["serve", "--port", "0"],
    ["worker", ...model],
  ]) {
    const { exitCode, stderr } = await switchyard([...words, ...shared], { cwd, env: KEY });
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain("The usage of shared budgets");
  }
});

test("a worker executes one run at a time for an owner with this limit, and meanwhile the runs of other owners", async ({
  skip,
}) => {
  skip(natsServerProblem() !== undefined, natsServerProblem());
  const broker = await startNatsServer();
  onTestFinished(() => broker.stop());
  const held: (() => void)[] = [];
  const { baseUrl, bodies } = await startLoopbackModel((response) => {
    beginAnswer(response);
    const end = (): void => endAnswer(response, "Done.");
    if (bodies.at(-1)?.includes("Hold.") === true) held.push(end);
    else end();
  });
  const [ADA, BOB] = ["ada", "bob"].map((name) => `${name}-token-of-nobody-0123456789`);
  const cwd = await makeFolder({
    "budgets.yaml": "owners: { ada: { concurrent_runs: 1, usd_per_day: 0.00002 } }\n",
    tokens: `${ADA} owner=ada\n${BOB} owner=bob\n`,
  });
  await chmod(join(cwd, "tokens"), 0o600);
  const shared = ["--queue", `${broker.url}/team`, "--budgets", "budgets.yaml"];
  const url = await startServer([...shared, "--tokens", "tokens", "--rate-limit", "100000"], { cwd });
  const agent = ["--engine", "agent", "--model", "anthropic/claude-sonnet-4-5", "--base-url", baseUrl];
  const worker = ["worker", ...agent, "--concurrency", "2", "--approve", "never", ...shared];
  await startUntilEnd(worker, { cwd, stream: "stderr" });
  const request = async (token: string | undefined, path: string, task?: string) => {
    const body = JSON.stringify({ input: { messages: [{ role: "user", content: task }] } });
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    return fetch(url + path, task === undefined ? { headers } : { method: "POST", headers, body });
  };
  const create = async (token: string | undefined, task: string): Promise<() => Promise<unknown>> => {
    const { run_id: runId } = Object(await (await request(token, "/v1/runs", task)).json());
    return async () => Object(await (await request(token, `/v1/runs/${runId}`)).json()).status;
  };
  const until = (status: () => Promise<unknown>) => expect.poll(status);
  const [first, second] = [await create(ADA, "Hold."), await create(ADA, "Hold.")];
  for (let count = 0; count < 3; count += 1) await until(await create(BOB, "Work.")).toBe("completed");
  expect([await first(), await second()].sort()).toEqual(["queued", "running"]);
  expect(held).toHaveLength(1);
  held.pop()?.();
  await until(async () => held.length).toBe(1);
  held.pop()?.();
  for (const status of [first, second]) await until(status).toBe("completed");
  // The worker has counted the runs that it executed, so the server refuses further runs of the owner.
  expect((await request(ADA, "/v1/runs", "Work.")).status).toBe(429);
  const view = async (token: string | undefined) => Object(await (await request(token, "/v1/caller")).json()).budget;
  const limits = { usd_per_day: 0.00002, concurrent_runs: 1 };
  expect(await view(ADA)).toMatchObject({ ...limits, usd_used: 0.000036, usd_reserved: 0, active_runs: 0 });
  expect(await view(BOB)).toBeUndefined();
});
