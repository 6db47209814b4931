import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { BIN, makeFolder, switchyardProcess } from "./start-switchyard.ts";

const KIT = pathToFileURL(join(BIN, "../../node_modules/@switchyard/adapter-kit/dist/index.js")).href;

/** Returns the module of an adapter that writes a file as soon as it is loaded. */
function adapterModule(kind: string): string {
  return `
import { writeFileSync } from "node:fs";
import { defineAdapter, forkPerTurnAdapter } from "${KIT}";
writeFileSync("loaded-${kind}", "");
export const adapter = defineAdapter({
  kind: "${kind}",
  defaultCommand: "acme",
  credentials: ["ACME_API_KEY"],
  capabilities: { usage: "none", resume: "none", permissions: "none are asked for", mcp: false },
  checkup: {
    install: "npm install --global acme",
    checkAuthentication: async (facts) => ({ state: (await facts.run(["whoami"]))?.exitCode === 0 ? "yes" : "no" }),
    login: "run acme login",
  },
  readConfig: () => undefined,
  create: (settings) => forkPerTurnAdapter(settings, {
    start: () => undefined,
    buildTurn: ({ prompt }) => ({ args: ["chat"], stdin: prompt }),
    parseLine: (line, turn) => turn.text(line),
  }),
});
`;
}

const ACME = `#!/bin/sh
case "$1" in
  --version) echo "acme 4.5.6" ;;
  whoami) [ -n "$ACME_API_KEY" ] ;;
  chat) if [ -f break ]; then rm break; echo "I begin."; exit 3; fi; echo "Acme heard: $(cat)" ;;
esac
`;

/** Creates a project with adapter packages, and the command of one of them. */
async function makeProject(): Promise<{ cwd: string; env: Record<string, string> }> {
  const cwd = await makeFolder({
    "package.json": JSON.stringify({ devDependencies: { "switchyard-adapter-absent": "1", other: "1" } }),
  });
  for (const name of ["switchyard-adapter-acme", "@team/switchyard-adapter-second", "@team/other"]) {
    const folder = join(cwd, "node_modules", name);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "package.json"), JSON.stringify({ name, type: "module", exports: "./index.js" }));
    await writeFile(join(folder, "index.js"), adapterModule(name.split("-").at(-1) ?? ""));
  }
  const bin = await makeFolder({ acme: ACME });
  await chmod(join(bin, "acme"), 0o755);
  return { cwd, env: { PATH: `${bin}${delimiter}${process.env["PATH"]}` } };
}

const exists = async (path: string): Promise<boolean> =>
  readFile(path).then(
    () => true,
    () => false,
  );

test("a package of the project is an engine by its name, and only packages that are named are loaded [adapter-registry-6]", async () => {
  const { cwd, env } = await makeProject();
  const words = ["run", "--engine", "acme", "--trust-workspace", "--state", "state", "--json", "Hello."];
  const run = await switchyardProcess(words, { cwd, env });
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(JSON.parse(run.stdout)).toMatchObject({ engine: "acme", result: { final_message: "Acme heard: Hello." } });
  expect(await exists(join(cwd, "loaded-acme"))).toBe(true);
  expect(await exists(join(cwd, "loaded-second"))).toBe(false);
});

test("a run of such an engine continues with the trust it began with, which is stored outside the workspace", async () => {
  const { cwd, env } = await makeProject();
  await writeFile(join(cwd, "break"), "");
  const state = ["--state", await makeFolder(), "--json"];
  const run = await switchyardProcess(["run", "--engine", "acme", "--trust-workspace", ...state, "Hello."], {
    cwd,
    env,
  });
  expect(run.exitCode).toBe(3);
  const { runId }: { runId: string } = JSON.parse(run.stdout);
  const resumed = await switchyardProcess(["resume", runId, ...state], { cwd: await makeFolder(), env });
  expect(resumed).toMatchObject({ exitCode: 0, stderr: "" });
  expect(resumed.stdout).toContain("Your work on the task below was cut off");
});

test("nothing of an untrusted workspace is read, and that is reported", async () => {
  const { cwd, env } = await makeProject();
  const run = await switchyardProcess(["run", "--engine", "acme", "--state", "state", "Hello."], { cwd, env });
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain("No engine is named acme. Known engines: agent, claude-code");
  expect(run.stderr).toContain("--trust-workspace");
  expect(await exists(join(cwd, "loaded-acme"))).toBe(false);
  const listed = await switchyardProcess(["engines", "list"], { cwd, env });
  expect(listed.stdout).not.toContain("acme");
});

test("the doctor and validate name an untrusted package and load nothing of it", async () => {
  const { cwd, env } = await makeProject();
  await writeFile(join(cwd, "acme.yaml"), "engine:\n  name: acme\n  adapter:\n    command: acme\n");
  for (const words of [
    ["engines", "doctor", "acme"],
    ["validate", "acme.yaml"],
  ]) {
    const refused = await switchyardProcess(words, { cwd, env });
    expect([words, refused.exitCode]).toEqual([words, 2]);
    expect(refused.stderr).toContain("The engine acme is the package switchyard-adapter-acme in this folder");
    expect(refused.stderr).toContain("not trusted");
    expect(refused.stderr).toContain("--trust-workspace");
  }
  const scoped = await switchyardProcess(["engines", "doctor", "second"], { cwd, env });
  expect(scoped.stderr).toContain("@team/switchyard-adapter-second");
  expect((await switchyardProcess(["engines", "doctor", "third"], { cwd, env })).stderr).toContain(
    "No engine is named third",
  );
  expect(await exists(join(cwd, "loaded-acme"))).toBe(false);
  const valid = await switchyardProcess(["validate", "--trust-workspace", "acme.yaml"], { cwd, env });
  expect(valid).toMatchObject({ exitCode: 0, stdout: "acme.yaml is a valid EngineConfig.", stderr: "" });
  await writeFile(join(cwd, "acme.yaml"), "engine:\n  name: acme\n  adapter: none\n");
  const invalid = await switchyardProcess(["validate", "--trust-workspace", "acme.yaml"], { cwd, env });
  expect([invalid.exitCode, invalid.stderr]).toEqual([2, expect.stringContaining("engine.adapter")]);
});

test("the error for an unknown name contains the nearest name and the list [adapter-registry-3]", async () => {
  const { cwd, env } = await makeProject();
  const words = ["run", "--trust-workspace", "--state", "state", "Hello."];
  const run = await switchyardProcess([...words, "--engine", "secnod"], { cwd, env });
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toMatch(
    /No engine is named secnod\. Known engines: second \(did you mean this one\?\), agent, claude-code.*acme/,
  );
  const doctor = await switchyardProcess(["engines", "doctor", "claude"], { cwd, env });
  expect([doctor.exitCode, doctor.stderr]).toEqual([2, expect.stringContaining("Known engines: ")]);
  const absent = await switchyardProcess([...words, "--engine", "absent"], { cwd, env });
  expect(absent.exitCode).toBe(2);
  expect(absent.stderr).toContain("switchyard-adapter-absent cannot be used: it is not installed");
});

test("a package without an engine export is refused, and so are two packages that provide the same engine name", async () => {
  const { cwd, env } = await makeProject();
  await writeFile(
    join(cwd, "node_modules/switchyard-adapter-acme/index.js"),
    "export const adapter = { kind: 'acme' };",
  );
  const words = ["run", "--engine", "acme", "--trust-workspace", "--state", "state", "Hello."];
  const wrong = await switchyardProcess(words, { cwd, env });
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining("exports no adapter of kind acme")]);
  await mkdir(join(cwd, "node_modules/@team/switchyard-adapter-acme"));
  const twice = await switchyardProcess(words, { cwd, env });
  expect(twice.stderr).toContain("are both named acme");
});

test("the list shows the origin of each engine and starts nothing", async () => {
  const { cwd, env } = await makeProject();
  const listed = await switchyardProcess(["engines", "list", "--trust-workspace", "--json"], { cwd, env });
  const { engines }: { engines: { name: string; source: string; isInstalled: boolean }[] } = JSON.parse(listed.stdout);
  expect(engines.slice(0, 2).map(({ name }) => name)).toEqual(["agent", "claude-code"]);
  expect(engines.slice(-3)).toEqual([
    { name: "absent", source: "switchyard-adapter-absent", isInstalled: false },
    { name: "acme", source: "switchyard-adapter-acme", isInstalled: true },
    { name: "second", source: "@team/switchyard-adapter-second", isInstalled: true },
  ]);
  expect(await exists(join(cwd, "loaded-acme"))).toBe(false);
  expect((await switchyardProcess(["engines", "list"], { cwd, env })).stdout).toContain("the built-in agent");
});

test("the doctor reports for each engine whether it is installed, its version, its login, and what to do [adapter-capabilities-1]", async () => {
  const { cwd, env } = await makeProject();
  const words = ["engines", "doctor", "acme", "--trust-workspace"];
  const out = await switchyardProcess([...words, "--json"], { cwd, env });
  expect(out.exitCode).toBe(1);
  expect(JSON.parse(out.stdout).engines).toEqual([
    {
      ...{ name: "acme", ok: false, isInstalled: true, command: "acme", version: "4.5.6", signedIn: "no" },
      features: { usage: "none", resume: "none", permissions: "none are asked for", mcp: false },
      modelAccess: "direct (the adapter acme cannot redirect model calls)",
      fixes: ["Log in: run acme login"],
    },
  ]);
  const key = "the-key-of-nobody-1234567";
  const signed = await switchyardProcess(words, { cwd, env: { ...env, ACME_API_KEY: key } });
  expect(signed.exitCode).toBe(0);
  expect(signed.stdout).toMatch(
    /^acme {2}ready {2}acme, version 4\.5\.6, authenticated\n {2}reports no tokens; starts new sessions only/u,
  );
  expect(signed.stdout).not.toContain(key);
  const missing = await switchyardProcess(words, { cwd });
  expect(missing.exitCode).toBe(1);
  expect(missing.stdout).toContain("acme  missing  not installed");
  expect(missing.stdout).toContain(
    "Install acme, or set engine.adapter.command in an engine file: npm install --global acme",
  );
});

test("without an engine name, the doctor checks all engines, and a missing engine is not a failure", async () => {
  const { cwd, env } = await makeProject();
  const claude = await makeFolder({ claude: "#!/bin/sh\necho '2.1.197 (Claude Code)'\n" });
  await chmod(join(claude, "claude"), 0o755);
  const all = await switchyardProcess(["engines", "doctor", "--json"], {
    cwd,
    env: { PATH: `${claude}${delimiter}${env["PATH"]}`, ANTHROPIC_API_KEY: "k-of-nobody-12345678" },
  });
  expect(all.exitCode).toBe(0);
  const { engines }: { engines: { name: string }[] } = JSON.parse(all.stdout);
  expect(engines.find(({ name }) => name === "agent")).toMatchObject({ ok: true, signedInBy: "ANTHROPIC_API_KEY" });
  expect(engines.find(({ name }) => name === "claude-code")).toMatchObject({
    ...{ ok: true, version: "2.1.197", signedIn: "yes", signedInBy: "ANTHROPIC_API_KEY" },
  });
});
