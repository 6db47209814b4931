import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { engineFactsOf, parseEvalSuite, readHarborSuite, runEval } from "../src/index.ts";
import { engineOf, evaluate, makeFolder } from "./evaluate.ts";
import { makeTasks } from "./harbor/task-folder.ts";

test("missing commands of engines are reported once, before anything runs", async () => {
  const ran: string[] = [];
  const engine = engineOf(async () => {
    ran.push("it ran");
    return "";
  });
  const yaml = "engines: [a, b, c]\niterations: 3\ncases: [{ id: one, prompt: x }, { id: two, prompt: x }]";
  const commands: Readonly<Record<string, string>> = { a: "no-such-agent", b: "sh", c: "/nowhere/agent" };
  const openEngine = async (spec: unknown) => ({ name: String(spec), engine, command: commands[String(spec)] });
  await expect(evaluate(yaml, {}, { openEngine })).rejects.toMatchObject({
    code: "config.invalid_eval",
    details: {
      problems: [
        "the engine a needs the command no-such-agent, which is not installed",
        "the engine c needs the command /nowhere/agent, which is not installed",
      ].join("\n"),
    },
  });
  expect(ran).toEqual([]);
});

test("without a container engine, nothing runs, and the problem is reported once with its remedy", async () => {
  const ran: string[] = [];
  const engine = engineOf(async () => {
    ran.push("it ran");
    return "";
  });
  const hostEnv = { PATH: await makeFolder() };
  const yaml = "engines: [a]\niterations: 3\ncases: [{ id: one, prompt: x }]";
  const environment = () => ({ type: "docker" as const, image: "debian:12", hostEnv });
  const missing = {
    code: "environment.unavailable",
    details: { problem: expect.stringContaining("Docker or Podman") },
  };
  await expect(evaluate(yaml, { a: engine }, { environment })).rejects.toMatchObject(missing);
  const folder = await makeTasks({ one: {} });
  const tasks = await readHarborSuite(folder);
  if (tasks === undefined) throw new Error("no task");
  const all = { ...tasks, engines: [{ spec: "nop", field: "engine" }] };
  const openEngine = async () => ({ name: "a", engine });
  const run = runEval(all, {
    ...{ openEngine, environment, output: await makeFolder(), containerEngine: { hostEnv } },
  });
  await expect(run).rejects.toMatchObject({
    code: "environment.unavailable",
    message: expect.stringContaining("There is no `docker` or `podman` on the PATH. Debian and Ubuntu: `sudo apt-get"),
  });
  expect(ran).toEqual([]);
});

test("a command finds the MCP servers of its case in a file of the workspace, without values of secrets", async () => {
  const suiteFolder = await makeFolder();
  await mkdir(join(suiteFolder, "project"));
  await writeFile(join(suiteFolder, "project/.mcp.json"), '{ "mcpServers": { "own": { "command": "own" } }, "x": 1 }');
  let found = "";
  const engine = engineOf(async ({ environment }) => {
    found = await environment.readFile(".mcp.json");
    return "";
  });
  const servers = {
    remote: { kind: "real" as const, config: { url: "http://127.0.0.1:1", headers: { A: `\${KEY}` } } },
  };
  const parsed = await parseEvalSuite(
    "engines: [a]\ncases: [{ id: one, prompt: x, workspace: project }]",
    join(suiteFolder, "eval.yaml"),
  );
  const suite = { ...parsed, cases: parsed.cases.map((one) => ({ ...one, mcpServers: servers })) };
  const { outcome } = await runEval(suite, {
    openEngine: async () => ({ name: "a", engine, acceptsMcpServers: true, readsMcpFile: true }),
    environment: (root) => ({ type: "local", root, env: { PATH: process.env["PATH"], KEY: "secret" } }),
    output: await makeFolder(),
  });
  expect(outcome).toBe("passed");
  expect(JSON.parse(found)).toEqual({
    x: 1,
    mcpServers: { own: { command: "own" }, remote: { url: "http://127.0.0.1:1", headers: { A: `\${KEY}` } } },
  });
});

test.each([
  ["codex", { command: "codex", acceptsMcpServers: true }],
  ["agent", { acceptsMcpServers: true }],
  [
    { name: "claude-code", adapter: { permission_mode: "plan" } },
    { command: "claude", acceptsMcpServers: true },
  ],
  [{ name: "codex", adapter: { command: "my-codex" } }, { acceptsMcpServers: true }],
  [
    { engine: { name: "x", custom: { local: { command: "acme" } } } },
    { command: "acme", acceptsMcpServers: true, readsMcpFile: true },
  ],
  [
    { name: "x", custom: { local: { command: "./run.sh" } } },
    { acceptsMcpServers: true, readsMcpFile: true },
  ],
  [
    { name: "x", custom: { local: { command: `\${ACME}` } } },
    { acceptsMcpServers: true, readsMcpFile: true },
  ],
  [
    { name: "x", custom: { transport: "http" } },
    { acceptsMcpServers: false, readsMcpFile: false },
  ],
])("the engine %j: %j", (document, facts) => {
  expect(engineFactsOf(document)).toEqual({ command: undefined, ...facts });
});

describe("an engine of skill-up", () => {
  async function check(engine: string, more = ""): Promise<string> {
    const folder = await makeFolder();
    await mkdir(join(folder, "evals"));
    await mkdir(join(folder, "bin"));
    await writeFile(join(folder, "bin/claude"), '#!/bin/sh\necho "2.1.197 (Claude Code)"');
    await chmod(join(folder, "bin/claude"), 0o755);
    await writeFile(join(folder, "evals/a.yaml"), "input: { prompt: Go }");
    const yaml = `schema_version: v1alpha1\nengine: ${engine}\n${more}\ncases: { files: [evals/a.yaml] }`;
    const run = async () => {
      const suite = await parseEvalSuite(yaml, join(folder, "evals/eval.yaml"));
      return runEval(suite, {
        openEngine: async (spec) => ({ name: "e", engine: engineOf(async () => "done"), ...engineFactsOf(spec) }),
        environment: (root) => ({
          type: "local",
          root,
          env: { PATH: `${join(folder, "bin")}:${process.env["PATH"]}` },
        }),
        output: await makeFolder(),
      });
    };
    return run().then(
      ({ outcome }) => outcome,
      (error: unknown) => String(Reflect.get(Object(error), "details").problems),
    );
  }

  test.each([
    ["2.1", "passed"],
    ["v2.1.197", "passed"],
    [">=2.0.9", "passed"],
    ["latest", "passed"],
    ["2.10", "engine.version is 2.10, and the command claude of the engine claude_code has the version 2.1.197"],
    [">=2.2", "engine.version is >=2.2, and the command claude of the engine claude_code has the version 2.1.197"],
    ["^2.1.0", "passed"],
    [
      "2.1.197-beta.1",
      "engine.version is 2.1.197-beta.1, and the command claude of the engine claude_code has the version 2.1.197",
    ],
  ])("with the version %s: %s", async (version, expected) => {
    expect(await check(`{ name: claude_code, version: "${version}" }`)).toBe(expected);
  });

  test("whose version cannot be checked runs with a warning, and without MCP servers it is refused", async () => {
    const yaml =
      "schema_version: v1alpha1\nengine: { name: mine, version: '1', custom: { transport: http } }\ncases: { files: [a.yaml] }";
    const folder = await makeFolder();
    await writeFile(join(folder, "a.yaml"), "input: { prompt: Go }");
    expect((await parseEvalSuite(yaml, join(folder, "eval.yaml"))).warnings).toEqual([
      "engine.version is not checked, because no command of the engine mine is known.",
    ]);
    const tag = yaml.replace("version: '1'", "version: '^1.0'").replace("name: mine", "name: codex");
    expect((await parseEvalSuite(tag, join(folder, "eval.yaml"))).warnings?.[0]).toBe(
      "engine.version has no effect here: write a version such as 2.1, or >=2.1.",
    );
    const servers = "mcp: { servers: [{ name: files, mode: real, command: node }] }";
    expect(await check("{ name: mine, custom: { transport: http } }", servers)).toBe(
      "mcp.servers: the engine mine is an HTTP service, which receives no MCP servers, and the case a needs files",
    );
  });
});
