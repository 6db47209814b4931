import { mkdir, readdir, readFile, realpath, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunWriter } from "@switchyard/contracts";
import { openFileStore } from "@switchyard/stores/file";
import { execa } from "execa";
import { expect, test } from "vitest";
import { answerCall, startLoopbackModel } from "./loopback-model.ts";
import { type MockAnswer, startMockModel } from "./mock-model.ts";
import { makeFolder, startSwitchyard, switchyard, switchyardProcess } from "./start-switchyard.ts";

const KEY = { ANTHROPIC_API_KEY: "test-key-that-is-not-real" };

/** Creates a folder, a user, and a model whose requests can be inspected. */
async function makePlace(...answers: readonly MockAnswer[]) {
  const { baseUrl, mock } = await startMockModel("anthropic", answers);
  const [cwd, home] = [await makeFolder({ "a.txt": "one\n" }), await makeFolder()];
  const env = { ...KEY, HOME: home };
  return {
    cwd,
    env,
    model: ["--model", "anthropic/m", "--base-url", baseUrl],
    enter: (words: readonly string[], folder = cwd, input?: string) =>
      switchyard(words, { cwd: folder, env, ...(input === undefined ? {} : { input }) }),
    /** Returns the messages of the last model request. */
    asked: (): unknown[] => Object(mock.getLastRequest()?.body).messages,
    runIds: async () => (await readdir(join(home, ".local/state/switchyard/runs"))).sort(),
  };
}

const READ: MockAnswer = { name: "read_file", arguments: { file_path: "a.txt" } };

test("--continue continues the newest conversation in this folder, calls and results included", async () => {
  const { enter, model, asked } = await makePlace(READ, "It says one.", "It still does.", "Elsewhere.");
  await enter(["run", ...model, "What does a.txt say?"]);
  expect(await enter(["run", ...model, "--continue", "And now?"])).toMatchObject({
    exitCode: 0,
    stderr: expect.stringMatching(/^note: continuing run \w+\.$/),
  });
  const text = JSON.stringify(asked());
  expect(text).toMatch(/What does a\.txt say\?.*read_file.*1 \| one.*It says one\..*And now\?/s);
  const other = await enter(["run", ...model, "--continue", "And here?"], await makeFolder());
  expect(other.exitCode).toBe(2);
  expect(other.stderr).toContain("There is no run with a conversation in");
});

test("--continue takes runs in worktrees of the folder for runs in the folder", async () => {
  const { cwd, enter, model, asked, runIds } = await makePlace("Older.", "In the worktree.", "Here.");
  await execa("git", ["init", "--quiet"], { cwd });
  await execa("git", ["-c", "user.name=T", "-c", "user.email=t@e.org", "commit", "-qm1", "--allow-empty"], { cwd });
  await enter(["run", ...model, "First?"]);
  await enter(["run", ...model, "--worktree", "Second?"]);
  const [, second = ""] = await runIds();
  const next = await enter(["run", ...model, "--continue", "Third?"]);
  expect(next).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(`continuing run ${second}`) });
  expect(JSON.stringify(asked())).toMatch(/Second\?.*In the worktree\..*Third\?/s);
  expect(JSON.stringify(asked())).not.toContain("Older.");
});

test("--continue finds the newest conversation of the repository, in any folder or linked worktree", async () => {
  const answers = ["In a.", "In b.", "At the top.", "In the linked one.", "In c."];
  const { cwd, enter, model, asked } = await makePlace(...answers);
  const linked = join(await makeFolder(), "linked");
  await execa("git", ["init", "--quiet"], { cwd });
  await execa("git", ["-c", "user.name=T", "-c", "user.email=t@e.org", "commit", "-qm1", "--allow-empty"], { cwd });
  await execa("git", ["worktree", "add", "--quiet", linked], { cwd });
  for (const name of ["a", "b", "c"]) await mkdir(join(cwd, name));
  await enter(["run", ...model, "First?"], join(cwd, "a"));
  for (const [folder, earlier, answer] of [
    [join(cwd, "b"), join(cwd, "a"), "In a."],
    [cwd, join(cwd, "b"), "In b."],
    [linked, cwd, "At the top."],
    [join(cwd, "c"), linked, "In the linked one."],
  ] as const) {
    const { exitCode, stderr } = await enter(["run", ...model, "--continue", "Next?"], folder);
    expect([exitCode, stderr]).toEqual([0, expect.stringMatching(/^note: continuing run \w+ of \S+\.$/)]);
    expect(stderr).toContain(` of ${await realpath(earlier)}.`);
    expect(JSON.stringify(asked())).toContain(answer);
  }
});

test("--continue never uses a conversation of another repository, whatever a .git file contains", async () => {
  const { cwd, enter, model } = await makePlace("A secret.", "None.");
  const stranger = await makeFolder();
  await execa("git", ["init", "--quiet"], { cwd });
  await execa("git", ["-c", "user.name=T", "-c", "user.email=t@e.org", "commit", "-qm1", "--allow-empty"], { cwd });
  await execa("git", ["worktree", "add", "--quiet", join(await makeFolder(), "linked")], { cwd });
  await enter(["run", ...model, "First?"]);
  for (const named of [".git", ".git/worktrees/linked"]) {
    await writeFile(join(stranger, ".git"), `gitdir: ${join(cwd, named)}\n`);
    expect(await enter(["run", ...model, "--continue", "Next?"], stranger)).toMatchObject({ exitCode: 2 });
  }
});

test("--continue skips runs that failed to start or were interrupted, and reports it", async () => {
  const { cwd, env, enter, model, asked, runIds } = await makePlace("The answer is 42.", "As I said.");
  await enter(["run", ...model, "What is it?"]);
  const nobody = await startLoopbackModel((response) => response.writeHead(401).end("{}"));
  await enter(["run", "--model", "anthropic/m", "--base-url", nobody.baseUrl, "Refused?"]);
  const waiting = await startLoopbackModel(answerCall("shell", { command: "touch begun; sleep 600" }));
  const words = ["run", "--model", "anthropic/m", "--base-url", waiting.baseUrl, "--events", "jsonl", "Cut off?"];
  const { command } = await startSwitchyard(words, { cwd, env });
  await expect.poll(() => readdir(cwd)).toContain("begun");
  command.kill("SIGKILL");
  await command;
  const [first, refused, cutOff] = await runIds();
  const next = await enter(["run", ...model, "--continue", "Again?"]);
  expect(next.exitCode).toBe(0);
  expect(next.stderr).toContain(
    `note: the newer run ${cutOff} was cut off; \`switchyard resume ${cutOff}\` continues it.`,
  );
  expect(next.stderr).toContain(`note: the newer run ${refused} ended without a response.`);
  expect(next.stderr).toContain(`note: continuing run ${first}.`);
  expect(JSON.stringify(asked())).toMatch(/What is it\?.*The answer is 42\..*Again\?/s);
});

test("--from continues a conversation of any folder; without a prompt nothing happens", async () => {
  const { enter, model, asked, runIds } = await makePlace("The answer is 42.", "As I said.");
  await enter(["run", ...model, "What is it?"]);
  const [first = ""] = await runIds();
  expect((await enter(["run", ...model, "--from", first])).stderr).toContain("require a prompt with the next task");
  const next = await enter(["run", ...model, "--from", first.slice(0, 10), "Again?"], await makeFolder());
  expect(next).toMatchObject({ exitCode: 0 });
  expect(JSON.stringify(asked())).toMatch(/What is it\?.*The answer is 42\..*Again\?/s);
});

test("runs fork has the settings of the run; without a prompt its task is begun again", async () => {
  const { enter, model, asked, runIds } = await makePlace("First.", "Second.", "Third.");
  await enter(["run", ...model, "--mode", "plan", "--mcp-wait", "7", "Think."]);
  const [first = ""] = await runIds();
  expect(await enter(["runs", "fork", first, "Go on."])).toMatchObject({ exitCode: 0, stderr: "" });
  expect(JSON.stringify(asked())).toMatch(/Think\..*First\..*Go on\./s);
  expect(await enter(["runs", "fork", first], await makeFolder())).toMatchObject({ exitCode: 0, stderr: "" });
  expect(JSON.stringify(asked())).toMatch(/Think\./);
  expect(JSON.stringify(asked())).not.toContain("First.");
  const third = (await runIds()).at(-1) ?? "";
  const { stdout } = await enter(["runs", "export", third]);
  expect(JSON.parse(stdout)).toMatchObject({
    request: { settings: { forked_from: first, mode: "plan", mcp_wait: 7 } },
  });
});

test("runs fork with - reads the prompt from a pipe", async () => {
  const { cwd, enter, model, asked, runIds } = await makePlace("First.", "Second.");
  await enter(["run", ...model, "Think."]);
  const [first = ""] = await runIds();
  const fork = ["runs", "fork", first, "It", "says:", "-"];
  expect(await enter(fork, cwd, "1 failed\n")).toMatchObject({ exitCode: 0, stderr: "" });
  expect(JSON.stringify(asked())).toContain("It says:\\n\\n1 failed");
  const nothing = await enter(["runs", "fork", first, "-"], cwd, "\n");
  expect(nothing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("Standard input is empty.") });
});

test("runs fork --worktree begins with the files that the run left", async () => {
  const write: MockAnswer = { name: "shell", arguments: { command: "echo two >> a.txt && echo new > b.txt" } };
  const look: MockAnswer = { name: "shell", arguments: { command: "cat a.txt b.txt && echo three >> a.txt" } };
  const { enter, model, asked, cwd, runIds } = await makePlace(write, "Done.", look, "Seen.");
  const git = (...argv: string[]) =>
    execa("git", ["-C", cwd, "-c", "user.name=T", "-c", "user.email=t@e.org", ...argv]);
  await git("init", "--quiet");
  await git("add", "--all");
  await git("commit", "--quiet", "--message=first");
  await enter(["run", ...model, "Write."]);
  const [first = ""] = await runIds();
  await git("checkout", "--quiet", "--", "a.txt");
  await git("clean", "--quiet", "--force");
  const forked = await enter(["runs", "fork", first, "--worktree", "Look."]);
  expect(forked).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("Worktree: ") });
  expect(JSON.stringify(asked())).toMatch(/one\\+ntwo\\+nnew/);
  expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("one\n");
  const [, folder = ""] = /^Worktree: (\S+)/m.exec(forked.stderr) ?? [];
  expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("one\ntwo\nthree\n");
});

test("runs events prints the events, for people and for programs", async () => {
  const { enter, model, runIds } = await makePlace(READ, "It says \u001b[31mone.");
  await enter(["run", ...model, "What does a.txt say?"]);
  const [id = ""] = await runIds();
  const people = await enter(["runs", "events", id]);
  expect(people.stdout).toMatch(/> What does a\.txt say\?\n→ read_file a\.txt\n {2}✓ read_file/);
  expect(people.stdout).toContain("It says ␛[31mone.");
  const lines = (await enter(["runs", "events", id, "--json"])).stdout.split("\n").map((line) => JSON.parse(line));
  expect(lines.map((line) => Object(line).seq)).toEqual(lines.map((_, index) => index + 1));
  expect(lines.at(-1)).toMatchObject({ type: "run_end" });
});

test("runs export writes everything into one file", async () => {
  const { enter, model, cwd, runIds } = await makePlace("Done.");
  await enter(["run", ...model, "Do it."]);
  const [id = ""] = await runIds();
  expect(await enter(["runs", "export", id, "--output", "run.json"])).toMatchObject({ exitCode: 0, stderr: "" });
  expect((await stat(join(cwd, "run.json"))).isFile()).toBe(true);
  const document: unknown = JSON.parse(await readFile(join(cwd, "run.json"), "utf8"));
  expect(document).toMatchObject({
    format: 1,
    run_id: id,
    record: { title: "Do it." },
    report: { status: "completed" },
  });
  expect(JSON.stringify(document)).not.toContain(KEY.ANTHROPIC_API_KEY);
});

/** Creates a run in a state folder. */
async function makeRun(
  state: string,
  runId: string,
  { settings, fill }: { settings?: Record<string, unknown>; fill?: (writer: RunWriter) => Promise<void> },
) {
  const store = openFileStore({ directory: state });
  const times = { created_at: "2026-01-01T00:00:00.000Z", created_by: "0.0.0" };
  const writer = await store.create(
    { format: 1, run_id: runId, engine: "e", title: "t", status: "running", attempt: 1, ...times },
    { format: 1, input: { messages: [{ role: "user", content: "Do it." }] }, ...(settings && { settings }) },
  );
  await fill?.(writer);
  await store.close();
}

test("runs export contains the host of a webhook, not its address, which would allow anybody to call it", async () => {
  const state = await makeFolder();
  const server = { workspace: "/w", webhook_url: "https://hooks.example/services/T0/secret-part" };
  await makeRun(state, "told", { settings: { server, mode: "plan" } });
  const { stdout } = await switchyard(["runs", "export", "told", "--state", state]);
  expect(JSON.parse(stdout).request.settings).toEqual({
    server: { workspace: "/w", webhook_url: "https://hooks.example" },
    mode: "plan",
  });
});

test("runs export takes no more memory for a long run than for a short one", async () => {
  const state = await makeFolder();
  const count = 4_000;
  const message = "x".repeat(10_000);
  const fill = async (writer: RunWriter): Promise<void> => {
    for (let seq = 1; seq <= count; seq += 1) {
      const header = { id: `e${seq}`, type: "warning", subject: "s", time: "2026-01-01T00:00:00.000Z", attempt: 1 };
      await writer.append([{ seq, text: JSON.stringify({ ...header, seq, headers: {}, payload: { message } }) }]);
    }
  };
  await makeRun(state, "long", { fill });
  const cwd = await makeFolder();
  const words = ["runs", "export", "long", "--state", state, "--output", "run.json"];
  const ended = await switchyardProcess(words, { cwd, env: { NODE_OPTIONS: "--max-old-space-size=64" } });
  expect(ended).toMatchObject({ exitCode: 0, stderr: "" });
  const document: unknown = JSON.parse(await readFile(join(cwd, "run.json"), "utf8"));
  expect(document).toMatchObject({ run_id: "long", record: { title: "t" }, events: { length: count } });
});
