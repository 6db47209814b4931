import { chmod, readdir, readFile, symlink } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { sandboxReadiness } from "@switchyard/environment/local";
import { expect, test } from "vitest";
import { withDefaultMode } from "../src/approval/default-mode.ts";
import { assertReachesModels, noteSandbox, withDefaultEnvironment } from "../src/environment/default-environment.ts";
import { createFakeContext } from "./fake-context.ts";
import { makeFolder, switchyard } from "./start-switchyard.ts";
import { makeUserAndProject } from "./user-and-project.ts";

/** Unsets the variable that the tests set for commands without a terminal. */
const UNSET = { SWITCHYARD_ENV: "" };

/** Creates an engine file whose command prints the network devices that it sees, and writes a file outside the workspace. */
async function makeEngine(outside: string): Promise<string> {
  const script = 'touch "$1/outside" inside; grep -o "^ *[a-z0-9]*:" /proc/net/dev | tr -d " :\\n"';
  const local = { command: "/bin/sh", args: ["-c", script, "sh", outside] };
  const custom = { transport: "local", response_format: "text", local };
  return join(
    await makeFolder({ "engine.yaml": JSON.stringify({ engine: { name: "probe", custom } }) }),
    "engine.yaml",
  );
}

/** Returns a PATH without bubblewrap. */
async function pathWithoutSandbox(): Promise<string> {
  const folder = await makeFolder();
  await symlink("/bin/sh", join(folder, "sh"));
  return folder;
}

test("without a terminal, a run works in a sandbox without a network, says so, and its fork works there too", async ({
  skip,
}) => {
  const { missing } = await sandboxReadiness({ ...process.env });
  skip(missing.length > 0, missing.map(({ problem }) => problem).join("; "));
  const [cwd, outside, state] = [await makeFolder(), await makeFolder(), await makeFolder()];
  const words = ["run", "--engine", await makeEngine(outside), "--state", state, "--json", "Look around"];
  const run = await switchyard(words, { cwd, env: UNSET });
  expect(run.stderr).toMatch(
    /^note: Without a terminal, commands run in a sandbox without a network\..*--env local\.$/,
  );
  const report = JSON.parse(run.stdout);
  expect(report).toMatchObject({ status: "completed", environment: "sandbox", result: { final_message: "lo" } });
  expect(await readdir(cwd)).toContain("inside");
  // The file with the task, which the engine's transport creates, is not a change of the run.
  expect([...report.workspaceDiff.matchAll(/^diff --git a\/(\S+)/gm)].map(([, path]) => path)).toEqual(["inside"]);
  expect(await readdir(outside)).toEqual([]);
  const fork = await switchyard(["runs", "fork", report.runId, "--state", state, "--json"], { cwd });
  expect(JSON.parse(fork.stdout)).toMatchObject({ status: "completed", environment: "sandbox" });
  expect(fork.stderr).toBe("");
});

test("without a terminal and without a sandbox, a run exits with 2 before anything starts and names --env local", async () => {
  const [cwd, outside, state, PATH] = [
    await makeFolder(),
    await makeFolder(),
    await makeFolder(),
    await pathWithoutSandbox(),
  ];
  const words = ["--engine", await makeEngine(outside), "--state", state, "Look around"];
  const refused = await switchyard(["run", ...words], { cwd, env: { ...UNSET, PATH } });
  expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
  const [problem = "", hint = "", ...more] = refused.stderr.split("\n");
  expect(more).toEqual([]);
  expect(problem).toMatch(/^error: Without a terminal, runs use a sandbox, which cannot be created: ./);
  expect(hint).toContain("`--env local` runs commands with your permissions");
  expect([...(await readdir(cwd)), ...(await readdir(outside))]).toEqual([]);
  expect(await readdir(state)).not.toContain("runs");
  const chosen = await switchyard(["run", "--env", "sandbox", ...words], { cwd, env: { ...UNSET, PATH } });
  expect(chosen.exitCode).toBe(2);
  expect(chosen.stderr).toMatch(/^error: The environment sandbox is not available: /);
});

test("the option, the variable and the user's settings choose the environment, in this order", async () => {
  const engine = await makeEngine(await makeFolder());
  const PATH = await pathWithoutSandbox();
  const { run } = await makeUserAndProject({ user: "env: local\napprove: always\n" });
  const environmentOf = async (words: readonly string[], env: Record<string, string>): Promise<unknown> => {
    const ended = await run(["run", "--engine", engine, "--json", ...words, "Look"], { PATH, ...env });
    const { environment, error } = JSON.parse(ended.stdout);
    return environment ?? error.code;
  };
  expect(await environmentOf([], UNSET)).toBe("local");
  expect(await environmentOf([], { SWITCHYARD_ENV: "sandbox" })).toBe("environment.unavailable");
  expect(await environmentOf(["--env", "local"], { SWITCHYARD_ENV: "sandbox" })).toBe("local");
  const wrong = await run(["run", "--engine", engine, "Look"], { SWITCHYARD_ENV: "moon" });
  expect(wrong.exitCode).toBe(2);
  expect(wrong.stderr).toMatch(
    /^error: The setting env in SWITCHYARD_ENV is invalid: env cannot be moon\. Write local, /,
  );
  const { stdout } = await run(["config", "--json"], { SWITCHYARD_ENV: "memory", SWITCHYARD_MODE: "plan" });
  expect(JSON.parse(stdout).settings).toEqual({
    env: { value: "memory", from: "SWITCHYARD_ENV" },
    mode: { value: "plan", from: "SWITCHYARD_MODE" },
  });
});

test("settings files may contain a network, memory limit and user that the environment of a run does not support", async () => {
  const engine = await makeEngine(await makeFolder());
  const PATH = await pathWithoutSandbox();
  const { run, home } = await makeUserAndProject({ user: "env_network: mine\nenv_memory: 1g\nenv_user: caller\n" });
  const words = ["run", "--engine", engine, "--json"];
  const local = await run([...words, "Look"], { PATH });
  expect(JSON.parse(local.stdout)).toMatchObject({ environment: "local" });
  const typed = await run([...words, "--env-network", "allow", "Look"], { PATH });
  expect(typed).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("--env-network is for --env sandbox") });
  const sandbox = await run([...words, "Look"], { PATH, ...UNSET });
  expect(sandbox.exitCode).toBe(2);
  expect(sandbox.stderr).toContain(`env_network in ${join(home, ".config/switchyard/config.yaml")}`);
  expect(sandbox.stderr).toContain("cannot be mine for sandbox; write none or allow or list:HOST,…");
});

test("SWITCHYARD_MODE replaces the permissions of settings files, and an option replaces SWITCHYARD_MODE", async () => {
  const engine = await makeEngine(await makeFolder());
  const { run, home } = await makeUserAndProject({ user: "approve: always\n" });
  const modeOf = async (...words: string[]): Promise<unknown> => {
    const ended = await run(["run", "--engine", engine, "--json", ...words, "Look"], { SWITCHYARD_MODE: "auto" });
    const { runFolder } = JSON.parse(ended.stdout);
    expect(runFolder.startsWith(home)).toBe(true);
    const { settings } = JSON.parse(await readFile(join(runFolder, "request.json"), "utf8"));
    return { mode: settings.mode, approve: settings.approval?.approve };
  };
  expect(await modeOf()).toEqual({ mode: "auto", approve: "never" });
  expect(await modeOf("--approve", "on-writes")).toEqual({ mode: undefined, approve: "on-writes" });
});

test("on a terminal, a run works in the environment local, and no note is printed", () => {
  const terminal = createFakeContext({ isTerminal: true });
  const attended = withDefaultEnvironment(terminal.context, {});
  expect(attended).toMatchObject({ env: "local" });
  noteSandbox(terminal.context, attended);
  expect(terminal.told()).toBe("");
});

test.each([
  [{}, "note: Without a terminal, commands run in a sandbox without a network. "],
  [{ envNetwork: "none" }, "note: Without a terminal, commands run in a sandbox without a network. "],
  [{ envNetwork: "list:registries" }, "note: Without a terminal, commands run in a sandbox. "],
])("the note about the sandbox says whether it has a network: %j", (options, note) => {
  const { context, told } = createFakeContext();
  noteSandbox(context, withDefaultEnvironment(context, options));
  expect(told().startsWith(note)).toBe(true);
});

test("an agent that calls models itself is refused in the default sandbox, because it could not reach them", async () => {
  const bin = await makeFolder({ claude: "#!/bin/sh\nexit 0\n" });
  await chmod(join(bin, "claude"), 0o755);
  const env = { ...UNSET, PATH: `${bin}${delimiter}${process.env["PATH"]}`, ANTHROPIC_API_KEY: "a-key-0123456789" };
  const refused = await switchyard(["run", "--engine", "claude-code", "--direct", "Do it"], { env });
  expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
  expect(refused.stderr).toContain("calls models without the model gateway");
  expect(refused.stderr).toContain("Omit --direct");
});

test.each([
  [
    "claude-code",
    "switched_off",
    "Omit --direct, and direct: true in your settings, so that the engine uses the gateway, or ",
  ],
  ["claude-code", "no_key", "Set an API key of the engine's model provider, so that the engine uses the gateway, or "],
  ["codex", "stored_login", "The login is stored in the home folder, which is hidden in a sandbox. "],
  ["opencode", "not_redirectable", "Name the model's provider, such as --model anthropic/MODEL, "],
  ["kiro", "not_redirectable", ""],
] as const)("the refusal of %s with the cause %s names what helps", (engineName, directCause, remedy) => {
  const refuse = (): void =>
    assertReachesModels(
      { engineName, directCause, modelAccess: "direct (a reason)" },
      { isDefaultEnvironment: true },
      { config: { type: "sandbox", root: "/work" }, command: "run" },
    );
  expect(refuse).toThrow(`Model access: direct (a reason). ${remedy}`);
  expect(refuse).toThrow(/[Aa]dd --env local/);
  expect(refuse).not.toThrow("--env-network");
});

test("on a terminal, the built-in agent asks before changes, also if an engine file configures it, unless the user chose permissions", async () => {
  const { context } = createFakeContext({ isTerminal: true });
  const modeOf = (options: Partial<Parameters<typeof withDefaultMode>[1]>, there = context): Promise<unknown> =>
    withDefaultMode(there, { engine: "agent", ...options }).then(({ mode }) => mode);
  expect(await modeOf({})).toBe("ask");
  expect(await modeOf({ mode: "auto" })).toBe("auto");
  expect(await modeOf({ approve: "never" })).toBeUndefined();
  expect(await modeOf({ allow: ["shell"] })).toBeUndefined();
  expect(await modeOf({ engine: "codex" })).toBeUndefined();
  expect(await modeOf({}, createFakeContext().context)).toBeUndefined();
  const model = "model: { provider: anthropic, name: m }";
  const folder = await makeFolder({
    "agent.yaml": `engine: { name: agent, ${model} }`,
    "block.yaml": `{ name: agent, ${model} }`,
    "other.yaml": "engine: { name: mine, custom: { transport: local, local: { command: agent } } }",
  });
  expect(await modeOf({ engine: join(folder, "agent.yaml") })).toBe("ask");
  expect(await modeOf({ engine: join(folder, "block.yaml") })).toBe("ask");
  expect(await modeOf({ engine: join(folder, "other.yaml") })).toBeUndefined();
});
