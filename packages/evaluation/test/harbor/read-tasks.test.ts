import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { readHarborSuite, runEval } from "../../src/index.ts";
import { makeFolder } from "../evaluate.ts";
import { makeTasks } from "./task-folder.ts";

/** Returns the problems of an invalid task or dataset. */
async function problemsOf(path: string): Promise<string[]> {
  const error = await readHarborSuite(path).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!EngineError.is(error, "config.invalid_eval")) throw new Error(`no problems: ${String(error)}`);
  return String(error.details["problems"]).split("\n");
}

test("a task is read with its limits, its network per phase, its users and its variables", async () => {
  const folder = await makeTasks({
    "my-task": {
      "task.toml": `schema_version = "1.4"
[task]
name = "org/my-task"
description = "What it is"
[metadata]
difficulty = "easy"
anything = { nested = [1, 2] }
[agent]
timeout_sec = 90.5
user = "clerk"
network_mode = "public"
[verifier]
timeout_sec = 30.0
user = 0
env = { KEY = "\${HOST_KEY:-none}" }
[solution]
env = { HINT = "x" }
[environment]
network_mode = "no-network"
build_timeout_sec = 40
cpus = 2
memory = "4G"
storage_mb = 10240
gpus = 0
os = "linux"
workdir = "/srv"
mcp_servers = []
env = { MODE = "test" }
`,
    },
  });
  const suite = await readHarborSuite(join(folder, "my-task", "task.toml"));
  expect(suite).toMatchObject({
    name: "my-task",
    engines: [{ spec: "agent" }],
    warnings: ["environment.storage_mb has no effect: the container engine does not limit it."],
  });
  expect(suite?.cases[0]).toMatchObject({
    id: "my-task",
    title: "What it is",
    messages: [{ role: "user", content: "Write done to /app/out.txt.\n" }],
    timeoutSeconds: 91,
    task: {
      image: {
        kind: "built",
        name: expect.stringMatching(/^switchyard-task\/my-task:[0-9a-f]{16}$/),
        timeoutSeconds: 40,
      },
      ...{ cpus: 2, memoryMb: 4096, workingDirectory: "/srv", variables: { MODE: "test" } },
      agent: { hasNetwork: true, user: "clerk" },
      verifier: { hasNetwork: false, user: "0", timeoutSeconds: 30, variables: { KEY: `\${HOST_KEY:-none}` } },
      solution: { variables: { HINT: "x" } },
    },
  });
});

test("a dataset is a folder of task folders, and a missing solution, an image and defaults are accepted", async () => {
  const folder = await makeTasks({
    "b-task": { "task.toml": '[environment]\ndocker_image = "debian:12"\n', "environment/Dockerfile": undefined },
    "a-task": { "task.toml": 'version = "1.0"\n', "solution/solve.sh": undefined },
    ".hidden": {},
  });
  await mkdir(join(folder, "notes"));
  await writeFile(join(folder, "dataset.toml"), "");
  const suite = await readHarborSuite(folder);
  const tasks = suite?.cases.map(({ id, task, timeoutSeconds }) => [id, task?.image.kind, timeoutSeconds]);
  expect(tasks).toEqual([
    ["a-task", "built", 600],
    ["b-task", "named", 600],
  ]);
  const [first] = suite?.cases ?? [];
  expect(first?.task).toMatchObject({ cpus: 1, memoryMb: 2048, agent: { hasNetwork: true } });
  expect(first?.task?.solution).toBeUndefined();
  expect(await readHarborSuite(join(folder, "dataset.toml"))).toBeUndefined();
  expect(await readHarborSuite(join(folder, "absent"))).toBeUndefined();
  expect(await problemsOf(await makeFolder())).toEqual(["the folder has no task: no folder in it has a task.toml"]);
});

test("the name of a built image changes with the files of the environment, and the digest of a task with all its files", async () => {
  const read = async (files: Record<string, string>) => {
    const suite = await readHarborSuite(join(await makeTasks({ one: files }), "one"));
    return { image: suite?.cases[0]?.task?.image.name, source: suite?.cases[0]?.source };
  };
  const plain = await read({});
  expect(await read({})).toEqual(plain);
  const otherImage = await read({ "environment/data.txt": "x" });
  expect(otherImage.image).not.toBe(plain.image);
  const otherTests = await read({ "tests/more.txt": "x" });
  expect(otherTests.image).toBe(plain.image);
  expect(otherTests.source).not.toBe(plain.source);
});

test("all unsupported fields of all tasks are named with their files before anything runs", async () => {
  const folder = await makeTasks({
    one: {
      "task.toml": `[agent]
network_mode = "allowlist"
allowed_hosts = ["pypi.org"]
[verifier]
environment_mode = "separate"
collect = [{ command = "true" }]
[verifier.environment]
docker_image = "x"
[environment]
os = "windows"
gpus = 1
tpu = "v4"
skills_dir = "/skills"
mcp_servers = [{ name = "x" }]
[environment.healthcheck]
command = "true"
`,
      "environment/docker-compose.yaml": "services: {}\n",
    },
    steps: { "task.toml": '[[steps]]\nname = "first"\n', "instruction.md": undefined, "tests/test.sh": undefined },
  });
  const problems = await problemsOf(folder);
  const fields = problems.map((problem) => problem.split(" ").slice(0, 2).join(" "));
  expect(fields.sort()).toEqual(
    [
      "one/environment/docker-compose.yaml is",
      ...["agent.network_mode", "environment.gpus", "environment.healthcheck", "environment.mcp_servers"],
      ...["environment.os", "environment.skills_dir", "environment.tpu", "verifier.collect"],
      ...["verifier.environment", "verifier.environment_mode"],
      "steps/task.toml: steps",
    ]
      .map((field) => (field.includes("/") ? field : `one/task.toml: ${field}`))
      .sort(),
  );
  expect(problems).toContain(
    "one/task.toml: agent.network_mode is allowlist, which is not supported: containers of tasks support only the whole network or no network; use public or no-network",
  );
});

test("broken tasks are refused with the place of each mistake", async () => {
  const folder = await makeTasks({
    empty: {
      "task.toml": "",
      "instruction.md": " \n",
      "tests/test.sh": undefined,
      "environment/Dockerfile": undefined,
    },
    syntax: { "task.toml": "[agent]\ntimeout_sec = \n" },
    values: {
      "task.toml": `surprise = 1
[agent]
timeout_sec = -1
[verifier]
environment_mode = "shared?"
allowed_hosts = ["x"]
[environment]
cpus = "two"
memory = "lots"
workdir = "app"
allow_internet = "no"
network_mode = "offline"
`,
    },
  });
  const problems = await problemsOf(folder);
  expect(problems.filter((problem) => problem.startsWith("empty/"))).toEqual([
    "empty/instruction.md does not exist or is empty",
    "empty/environment/Dockerfile does not exist, and task.toml has no environment.docker_image",
    "empty/tests/test.sh does not exist",
  ]);
  expect(problems.find((problem) => problem.startsWith("syntax/"))).toMatch(
    /^syntax\/task\.toml: line 2, column \d+: /,
  );
  const values = problems.filter((problem) => problem.startsWith("values/"));
  expect(values.map((problem) => problem.replace("values/task.toml: ", "").split(" ")[0]).sort()).toEqual([
    ...["agent.timeout_sec", "environment.allow_internet", "environment.cpus", "environment.memory"],
    ...["environment.network_mode", "environment.workdir", "surprise", "verifier.allowed_hosts"],
    "verifier.environment_mode",
  ]);
});

test("variables of the host that are not set, and a solution that is missing, are problems before anything runs", async () => {
  const folder = await makeTasks({
    one: { "task.toml": `[verifier]\nenv = { KEY = "\${NOT_SET}", OTHER = "\${NOT_SET:-x}" }\n` },
    two: { "solution/solve.sh": undefined },
  });
  const suite = await readHarborSuite(folder);
  if (suite === undefined) throw new Error("no suite");
  const engines = [{ spec: "oracle", field: "engine oracle" }];
  const options = {
    openEngine: () => Promise.reject(new Error("not opened")),
    environment: () => Promise.reject(new Error("not opened")),
    output: await makeFolder(),
  };
  await expect(runEval({ ...suite, engines }, options)).rejects.toMatchObject({
    code: "config.invalid_eval",
    details: { problems: `one/task.toml: verifier.env.KEY refers to \${NOT_SET}, which is not set` },
  });
  const containerEngine = { hostEnv: { NOT_SET: "value" } };
  await expect(runEval({ ...suite, engines }, { ...options, containerEngine })).rejects.toMatchObject({
    code: "config.invalid",
    details: { problem: "these tasks have no solution/solve.sh: two." },
  });
});
