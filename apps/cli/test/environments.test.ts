import { execFileSync } from "node:child_process";
import { mkdir, readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { sandboxReadiness } from "@switchyard/environment/local";
import { expect, test } from "vitest";
import { type MockAnswer, startMockModel } from "./mock-model.ts";
import { makeFolder, switchyard } from "./start-switchyard.ts";

const TASK: readonly MockAnswer[] = [
  { name: "write_file", arguments: { file_path: "hello.txt", content: "hello\n" } },
  { name: "shell", arguments: { command: "cat hello.txt note.txt" } },
  "The file is there.",
];

async function runIn(env: string, more: { words?: readonly string[]; workspace?: string } = {}) {
  const { baseUrl } = await startMockModel("openai", TASK);
  const workspace = more.workspace ?? (await makeFolder({ "note.txt": "a note\n" }));
  const state = await makeFolder();
  const words = ["run", "--env", env, "--model", "openai/test-model", "--base-url", baseUrl, "--state", state];
  const run = await switchyard([...words, ...(more.words ?? []), "Write a greeting"], { cwd: workspace });
  return { run, workspace, state };
}

test("a run in memory does not change the folder, and says how to apply its changes", async () => {
  const { run, workspace, state } = await runIn("memory");
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(run.stdout).toContain("Environment: memory");
  await expect(readFile(join(workspace, "hello.txt"))).rejects.toMatchObject({ code: "ENOENT" });
  const command = /Apply the changes with: git -C (\S+) apply (\S+)/.exec(run.stdout);
  expect(command?.[1]).toBe(workspace);
  expect(await readFile(command?.[2] ?? "", "utf8")).toContain("+hello");
  const shown = await switchyard(["runs", "list", "--state", state, "--json"]);
  expect(JSON.parse(shown.stdout)).toMatchObject([{ environment: "memory", status: "completed" }]);
});

test("a patch for a folder inside a repository names the path of the folder", async () => {
  const workspace = await makeFolder({ "note.txt": "a note\n", ".git": "gitdir: elsewhere\n" });
  const { run } = await runIn("memory", { words: ["--workspace", "sub folder"], workspace });
  expect(run.stderr).toContain("does not exist");
  const { mkdir, writeFile } = await import("node:fs/promises");
  await mkdir(join(workspace, "sub folder"));
  await writeFile(join(workspace, "sub folder/note.txt"), "a note\n");
  const again = await runIn("memory", { words: ["--workspace", "sub folder"], workspace });
  expect(again.run.stdout).toContain(`git -C ${workspace} apply --directory='sub folder' `);
});

test("a run in a sandbox writes only to the workspace", async ({ skip }) => {
  const { missing } = await sandboxReadiness({ ...process.env });
  skip(missing.length > 0, missing.map(({ problem }) => problem).join("; "));
  const { run, workspace } = await runIn("sandbox");
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(run.stdout).toContain("Environment: sandbox");
  expect(await readFile(join(workspace, "hello.txt"), "utf8")).toBe("hello\n");
});

test("a tool in a sandbox reaches only the listed hosts, and its result explains a refusal", async ({ skip }) => {
  const { missing } = await sandboxReadiness({ ...process.env });
  skip(missing.length > 0, missing.map(({ problem }) => problem).join("; "));
  const words = [
    "tools",
    "call",
    "shell",
    "--profile",
    "openai",
    "--env",
    "sandbox",
    "--env-network",
    "list:registries",
  ];
  const called = await switchyard([...words, "--args", '{"command":"curl -s https://other.example/"}'], {
    cwd: await makeFolder(),
  });
  expect(called.exitCode).toBe(1);
  expect(called.stdout).toContain("The option --env-network list:other.example allows it.");
});

test("a command in a sandbox learns why its request was refused, and the refusal is an event", async ({ skip }) => {
  const { missing } = await sandboxReadiness({ ...process.env });
  skip(missing.length > 0, missing.map(({ problem }) => problem).join("; "));
  const command = "curl -s https://other.example/";
  const { baseUrl, mock } = await startMockModel("openai", [{ name: "shell", arguments: { command } }, "Refused."]);
  const state = await makeFolder();
  const words = ["run", "--env", "sandbox", "--env-network", "list:registries", "--events", "jsonl", "--state", state];
  const model = ["--model", "openai/test-model", "--base-url", baseUrl];
  const run = await switchyard([...words, ...model, "Fetch it"], { cwd: await makeFolder() });
  expect(run.exitCode).toBe(0);
  const events = run.stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  const decided = events.filter(({ type }) => type === "network_request_decided").map(({ payload }) => payload);
  const refusal = { kind: "tunnel", host: "other.example", port: 443, verdict: "refused", reason: "host_not_listed" };
  expect(decided).toMatchObject([refusal]);
  expect(JSON.stringify(mock.getRequests())).toContain("The option --env-network list:other.example allows it.");
});

test("a failed run in an environment whose files are gone cannot be resumed, and is not reported as resumable", async () => {
  const workspace = await makeFolder({ "note.txt": "a note\n" });
  const state = await makeFolder();
  const model = ["--model", "openai/test-model", "--base-url", "http://127.0.0.1:1/v1", "--state", state];
  const failed = await switchyard(["run", "--env", "memory", ...model, "Do it"], { cwd: workspace });
  expect(failed.exitCode).toBe(3);
  expect(failed.stdout).not.toContain("switchyard resume");
  const [runId] = JSON.parse((await switchyard(["runs", "list", "--state", state, "--json"])).stdout).map(
    (run: { run_id: string }) => run.run_id,
  );
  const resumed = await switchyard(["resume", runId, "--state", state]);
  expect(resumed.exitCode).toBe(2);
  expect(resumed.stderr).toContain("its files were temporary and are gone");
});

test("a run continues in its first environment, unless it was moved explicitly", async ({ skip }) => {
  const { missing } = await sandboxReadiness({ ...process.env });
  skip(missing.length > 0, missing.map(({ problem }) => problem).join("; "));
  const workspace = await makeFolder({ "note.txt": "a note\n" });
  const state = await makeFolder();
  const broken = ["--model", "openai/test-model", "--base-url", "http://127.0.0.1:1/v1", "--state", state];
  await switchyard(["run", "--env", "sandbox", "--env-network", "none", ...broken, "Do it"], { cwd: workspace });
  const [run] = JSON.parse((await switchyard(["runs", "list", "--state", state, "--json"])).stdout);
  expect(run).toMatchObject({ environment: "sandbox", status: "error" });
  const { baseUrl } = await startMockModel("openai", TASK);
  const words = ["resume", run.run_id, "--state", state, "--base-url", baseUrl, "--json"];
  const resumed = await switchyard(words);
  expect(JSON.parse(resumed.stdout)).toMatchObject({ status: "completed", environment: "sandbox" });
  expect(await readFile(join(workspace, "hello.txt"), "utf8")).toBe("hello\n");
});

test.for([
  [["--env", "mars"], "Write local, sandbox, memory"],
  [["--env", "local", "--env-network", "none"], "--env-network is for"],
  [["--env", "ssh:host", "--env-memory", "1g"], "--env-memory is for"],
  [["--env", "sandbox", "--env-network", "bridge"], "none or allow or list:HOST,…"],
  [["--env", "sandbox", "--env-network", "list:10.0.0.1"], "the host is an IP address"],
  [["--env", "docker:alpine", "--env-memory", "lots"], "Write a size such as"],
  [["--env", "ssh:host", "--workspace", "."], "--env ssh:host/srv/project"],
  [["--env", "docker:@web", "--workspace", "."], "--env docker:@web:/srv/project"],
] as const)("options that do not go together are refused before anything starts: %j", async ([words, expected]) => {
  const refused = await switchyard(["run", ...words, "Do it"]);
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain(expected);
  expect(refused.stderr.split("\n").filter((line) => line !== "")).toHaveLength(2);
});

test("a tool is called in the named environment", async () => {
  const workspace = await makeFolder({ "note.txt": "a note\n" });
  const words = ["tools", "call", "shell", "--profile", "openai", "--env", "memory"];
  const called = await switchyard([...words, "--args", '{"command":"echo more >> note.txt; cat note.txt"}'], {
    cwd: workspace,
  });
  expect(called.stdout).toContain("a note\nmore");
  expect(await readFile(join(workspace, "note.txt"), "utf8")).toBe("a note\n");
});

test("doctor lists missing dependencies and how to install them, and fails for a requested environment", async () => {
  const env = { PATH: await makeFolder() };
  const all = await switchyard(["doctor"], { env });
  expect(all).toMatchObject({ exitCode: 0, stderr: "" });
  for (const name of ["local", "sandbox", "docker", "k8s", "ssh", "memory"])
    expect(all.stdout).toMatch(new RegExp(`^${name} +(?:ready|missing)`, "m"));
  expect(all.stdout).toContain("sudo apt-get install openssh-client");
  const asked = await switchyard(["doctor", "docker", "--json"], { env });
  expect(asked.exitCode).toBe(1);
  expect(JSON.parse(asked.stdout)).toMatchObject({ environments: [{ name: "docker", ok: false, found: [] }] });
  const ready = await switchyard(["doctor", "memory", "local", "--json"], { env });
  expect(ready.exitCode).toBe(0);
  expect(JSON.parse(ready.stdout)).toMatchObject({
    environments: [{ ok: true }, { ok: true, missing: [] }],
  });
  expect(await switchyard(["doctor", "mars"], { env })).toMatchObject({ exitCode: 2 });
});

test("a run in a container reports that the folder's repository is outside it", async () => {
  const cwd = await makeFolder();
  const git = (folder: string, ...words: string[]) =>
    execFileSync(
      "git",
      ["-c", "protocol.file.allow=always", "-c", "user.name=T", "-c", "user.email=t@e.org", ...words],
      {
        cwd: folder,
        stdio: "pipe",
      },
    );
  const [inner, outer] = [join(cwd, "inner"), join(cwd, "outer")];
  // Git ignores an empty folder. Sandboxes of agents create such folders, also in the folder for temporary files.
  const plain = join(cwd, "plain");
  for (const folder of [join(cwd, ".git"), plain]) await mkdir(folder);
  for (const folder of [inner, outer]) {
    await mkdir(join(folder, "deep/er"), { recursive: true });
    git(folder, "init", "--quiet");
    git(folder, "commit", "--quiet", "--allow-empty", "-m", "first");
  }
  git(outer, "submodule", "--quiet", "add", inner, "part");
  git(outer, "worktree", "add", "--quiet", "../linked");
  const notesIn = async (folder: string): Promise<string> => {
    const env = { PATH: "", HOME: cwd, ANTHROPIC_API_KEY: "test-key-that-is-not-real" };
    const words = ["run", "--model", "anthropic/m", "--env", "docker:alpine", "--state", join(cwd, "state"), "hi"];
    return (await switchyard(words, { cwd: folder, env })).stderr;
  };
  const NOTE = "note: git does not work in the container: ";
  expect(await notesIn(join(outer, "deep/er"))).toContain(`${NOTE}the repository ${await realpath(outer)} is outside`);
  expect(await notesIn(join(outer, "part"))).toContain(`${NOTE}the repository's data is outside the folder`);
  for (const folder of [outer, join(cwd, "linked"), plain]) expect(await notesIn(folder)).not.toContain("note: git");
});
