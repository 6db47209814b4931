import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { natsServerProblem, startNatsServer } from "@switchyard/nats-server";
import { execa } from "execa";
import { expect, onTestFinished, test } from "vitest";
import { startMockModel } from "./mock-model.ts";
import { makeFolder, startSwitchyard, switchyard } from "./start-switchyard.ts";

const PATIENCE_MS = 300_000;
const KEY = { ANTHROPIC_API_KEY: "test-key-that-is-not-real" };
const FIXTURES = resolve(import.meta.dirname, "../../../fixtures/engines");
/** Command that records that it began, and waits until a file exists. */
const HELD = "echo begun >> $GATE.log; while [ ! -e $GATE ]; do sleep 0.05; done";

const ENGINE_FILE = `engine:
  name: counter
  custom:
    transport: local
    local:
      command: ${process.execPath}
      args: [${join(FIXTURES, "good.mjs")}, "\${input_file}", "\${output_file}"]
      output_file: \${output_file}
`;

/** A queue, with functions that start commands which use it. */
async function startQueue() {
  const broker = await startNatsServer();
  onTestFinished(() => broker.stop());
  const queue = ["--queue", `${broker.url}/team`];
  const cwd = await makeFolder({ "counter.yaml": ENGINE_FILE });
  const folder = await makeFolder({ "a.txt": "a\n" });
  const repository = await makeRepository();
  await writeFile(join(cwd, "repositories.yaml"), `- url: file://${repository.folder}\n`);
  const env = { ...KEY, HOME: await makeFolder(), GATE: join(cwd, "gate") };
  const start = async (words: readonly string[]) => {
    const { command } = await startSwitchyard([...words, ...queue], { env, cwd });
    onTestFinished(async () => {
      command.kill("SIGKILL");
      await command;
    });
    return { command };
  };
  return {
    ...{ gate: env.GATE, repository, folder },
    worker: async (name: string, words: readonly string[]) => {
      const { command } = await start(["worker", "--name", name, ...words]);
      await once(command.stderr, "data");
      return { command };
    },
    serve: async (words: readonly string[] = []) => {
      const { command } = await start(["serve", "--port", "0", ...words]);
      const [printed] = await once(command.stdout, "data");
      return /http:\/\/\S+/u.exec(String(printed))?.[0] ?? "";
    },
    cluster: (words: readonly string[]) => switchyard(["cluster", ...words, ...queue], { env, cwd }),
  };
}

/** Creates a git repository with one commit. */
async function makeRepository() {
  const folder = await makeFolder({ "b.txt": "b\n" });
  const git = (...words: string[]) => execa("git", words, { cwd: folder });
  await git("init", "--quiet");
  await git("add", "--all");
  await git("-c", "user.name=n", "-c", "user.email=e@example.com", "commit", "--quiet", "-m", "first");
  return { folder, commit: (await git("rev-parse", "HEAD")).stdout };
}

async function create(url: string, body: FormData | object): Promise<string> {
  const isForm = body instanceof FormData;
  const response = await fetch(`${url}/v1/runs`, {
    method: "POST",
    body: isForm ? body : JSON.stringify(body),
    headers: isForm ? {} : { "content-type": "application/json" },
  });
  const { run_id: runId } = Object(await response.json());
  expect(response.status).toBe(201);
  return runId;
}

async function show(url: string, runId: string): Promise<Record<string, unknown>> {
  return Object(await (await fetch(`${url}/v1/runs/${runId}`)).json());
}

function inputOf(content: string) {
  return { messages: [{ role: "user", content }] };
}

/** Resolves with the `seq` of each event that a server sends for a run, and the last frame. */
async function follow(url: string, runId: string): Promise<{ seqs: number[]; last: string }> {
  const text = await (await fetch(`${url}/v1/runs/${runId}/events`)).text();
  const seqs = [...text.matchAll(/^id: .*[^\d](\d+)$/gmu)].map(([, digits]) => Number(digits));
  return { seqs, last: text.trim().split("\n\n").at(-1) ?? "" };
}

test("a worker that is stopped before --max-runs runs have ended exits with 3, so that a Job starts another one", async ({
  skip,
}) => {
  skip(natsServerProblem() !== undefined, natsServerProblem());
  const { worker } = await startQueue();
  const { command } = await worker("job", ["--engine", "counter.yaml", "--max-runs", "1"]);
  command.kill("SIGTERM");
  expect((await command).exitCode).toBe(3);
});

test(
  "workers execute the runs that a server accepts; a killed worker's run continues, and no unsafe effect is repeated",
  async ({ skip }) => {
    skip(natsServerProblem() !== undefined, natsServerProblem());
    const { worker, serve, cluster, gate, repository, folder } = await startQueue();
    const { baseUrl } = await startMockModel("anthropic", [
      { name: "write_file", arguments: { file_path: "early.txt", content: "early\n" } },
      { name: "shell", arguments: { command: HELD } },
      { name: "write_file", arguments: { file_path: "made.txt", content: "made\n" } },
      "All is done.",
    ]);
    const agent = ["--engine", "agent", "--model", "anthropic/m", "--base-url", baseUrl];
    const [one, two] = [await serve(), await serve(["--state", "other"])];
    const { command: first } = await worker("first", agent);
    const runId = await create(one, { input: inputOf("Do it.") });
    const watching = [follow(one, runId), follow(two, runId)];
    await expect.poll(() => existsSync(`${gate}.log`), { timeout: PATIENCE_MS }).toBe(true);
    const status = JSON.parse((await cluster(["status", "--json"])).stdout);
    expect(status).toMatchObject({ workers: [{ name: "first", running: 1, engines: ["agent"] }], dead_letters: [] });
    first.kill("SIGKILL");
    await first;
    // The second worker has none of the first worker's files.
    const offered = ["--state", "other-machine", "--workspace", `app=${folder}`, "--repositories", "repositories.yaml"];
    await worker("second", [...agent, "--engine", "counter.yaml", ...offered]);
    await expect
      .poll(() => show(two, runId), { timeout: PATIENCE_MS, interval: 200 })
      .toMatchObject({ status: "completed", worker: "second", attempt: 2 });
    const detail = await show(two, runId);
    for (const name of ["early.txt", "made.txt"]) expect(detail["workspace_diff"]).toContain(`+++ b/${name}`);
    expect(await readFile(`${gate}.log`, "utf8")).toBe("begun\n");
    const [left, right] = await Promise.all(watching);
    expect(left?.seqs).toEqual(left?.seqs.map((_, index) => index + 1));
    expect(right?.seqs).toEqual(left?.seqs);
    expect(right?.last).toContain("event: end");
    expect(existsSync(gate)).toBe(false);
    // Another engine on the same worker, with an uploaded file.
    const form = new FormData();
    form.set("payload", JSON.stringify({ input: inputOf("Count."), engine: "counter" }));
    form.append("files", new Blob(["a"]), "a.txt");
    const counted = await create(two, form);
    await expect
      .poll(() => show(one, counted), { timeout: PATIENCE_MS })
      .toMatchObject({ status: "completed", worker: "second", engine: "counter" });
    // Workspaces of the worker: a folder that it offers, and a repository that it may check out.
    const [inFolder, inRepository] = [
      await create(one, { input: inputOf("Count."), engine: "counter", workspace: { folder: "app" } }),
      await create(one, {
        ...{ input: inputOf("Count."), engine: "counter" },
        workspace: { git: { url: `file://${repository.folder}` } },
      }),
    ];
    await expect
      .poll(() => show(two, inFolder), { timeout: PATIENCE_MS })
      .toMatchObject({ status: "completed", worker: "second" });
    await expect
      .poll(() => show(two, inRepository), { timeout: PATIENCE_MS })
      .toMatchObject({ status: "completed", commit: repository.commit });
  },
  PATIENCE_MS,
);
