import { chmod, cp, readdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { makeFolder, switchyard } from "./start-switchyard.ts";

const TOKEN = "trk-of-nobody-0123456789";

/** Simulates `claude`: stores its MCP configuration, adds all new files to git, and prints a token. */
const CLAUDE = `#!${process.execPath}
const fs = require("node:fs");
const { dirname } = require("node:path");
const { execFileSync } = require("node:child_process");
fs.readFileSync(0);
const path = process.argv.find((arg) => arg.startsWith("--mcp-config=")).slice("--mcp-config=".length);
const git = (...args) => execFileSync("git", args, { encoding: "utf8" });
git("add", "-A");
const told = JSON.parse(fs.readFileSync(path, "utf8"));
const mode = (fs.statSync(dirname(path)).mode & 0o777).toString(8);
fs.writeFileSync(dirname(__filename) + "/told.json", JSON.stringify({ told, mode, added: git("ls-files") }));
const say = (event) => fs.writeSync(1, JSON.stringify({ ...event, session_id: "s1" }) + "\\n");
const content = [{ type: "text", text: "It is " + told.mcpServers.tracker.headers.Authorization }];
const usage = { input_tokens: 1, output_tokens: 1 };
say({ type: "system", subtype: "init", model: "m" });
say({ type: "assistant", message: { id: "m1", role: "assistant", content, model: "m", usage } });
say({ type: "result", subtype: "success", is_error: false, result: "Done.", usage });
`;

async function makeProject(tracker: Readonly<Record<string, unknown>> = {}) {
  const cwd = await makeFolder({ "README.md": "# demo\n" });
  const bin = await makeFolder({ claude: CLAUDE });
  await chmod(join(bin, "claude"), 0o755);
  const [url, headers] = ["https://tracker.example/mcp", { Authorization: `Bearer \${TRACKER}` }];
  const files = { command: "files", args: [`\${FOLDER:-docs}`] };
  const servers = { mcpServers: { tracker: { url, headers, ...tracker }, files } };
  await writeFile(join(bin, "mcp.json"), JSON.stringify(servers));
  const env = { PATH: `${bin}${delimiter}${process.env["PATH"]}`, TRACKER: TOKEN };
  const words = [
    "run",
    "--engine",
    "claude-code",
    "--mcp-config",
    join(bin, "mcp.json"),
    "--state",
    join(bin, "state"),
  ];
  return { cwd, beside: bin, env, words };
}

async function git(cwd: string, ...words: string[]): Promise<void> {
  const { openLocalEnvironment } = await import("@switchyard/environment/local");
  await using environment = await openLocalEnvironment({ root: cwd, env: process.env });
  await environment.exec(["git", ...words]);
}

test("another agent receives the servers with their values in a file that only the user can read and git ignores, and the values appear nowhere else [adapter-credentials-3]", async () => {
  const { cwd, beside, env, words } = await makeProject();
  await git(cwd, "init", "-q");
  const shown = await switchyard([...words, "Do it."], { cwd, env });
  expect(shown).toMatchObject({ exitCode: 0, stderr: "" });
  const { told, mode, added } = JSON.parse(await readFile(join(beside, "told.json"), "utf8"));
  expect(told.mcpServers).toEqual({
    tracker: { url: "https://tracker.example/mcp", headers: { Authorization: `Bearer ${TOKEN}` } },
    files: { command: "files", args: ["docs"], env: {} },
  });
  expect(mode).toBe("700");
  expect(added).toBe("README.md\n");
  expect(await readdir(cwd)).toEqual([".git", "README.md"]);
  const [run = ""] = await readdir(join(beside, "state", "runs"));
  const events = await readFile(join(beside, "state", "runs", run, "events.jsonl"), "utf8");
  expect(events).toContain("It is ***REDACTED***");
  expect(events + shown.stdout).not.toContain(TOKEN);
});

test("another agent is not started if it cannot respect the server settings: a variable, a choice of tools", async () => {
  const { cwd, env, words } = await makeProject();
  const unset = await switchyard([...words, "Do it."], { cwd, env: { PATH: env.PATH } });
  expect(unset.exitCode).toBe(2);
  expect(unset.stderr).toContain("the variable TRACKER is not set");
  const chosen = await makeProject({ excludeTools: ["delete_*"] });
  const refused = await switchyard([...chosen.words, "Do it."], chosen);
  expect(refused).toMatchObject({ exitCode: 2 });
  expect(refused.stderr).toContain("mcpServers.tracker.excludeTools");
  expect(await readdir(chosen.beside)).not.toContain("told.json");
});

/** Simulates `kiro-cli`, which does not support MCP servers. */
const KIRO = `#!${process.execPath}
console.log(process.argv[2] === "whoami" ? "Authenticated with API key" : "Done.");
`;

const OWN_ENGINE = `engine:
  name: own
  custom: { transport: local, local: { command: echo, args: ['{"exit_code":0,"final_message":"Done."}'] } }
`;

test.each([
  ["kiro", "kiro"],
  ["./engine.yaml", "own"],
  ["runtime:minimal", "runtime:minimal"],
])("%s does not support MCP servers, runs without those of the settings, and reports it", async (engine, name) => {
  const home = await makeFolder();
  const servers = {
    tracker: { url: "https://tracker.example/mcp", excludeTools: ["delete_*"] },
    files: { command: "f" },
  };
  const cwd = await makeFolder({ "engine.yaml": OWN_ENGINE });
  const settings = join(home, ".config/switchyard");
  await cp(
    resolve(import.meta.dirname, "../../../fixtures/runtimes/minimal"),
    join(settings, "agent-runtimes/minimal"),
    {
      recursive: true,
    },
  );
  await writeFile(join(settings, "mcp.json"), JSON.stringify({ mcpServers: servers }));
  await writeFile(join(settings, "config.yaml"), `mcp_config: ${join(settings, "mcp.json")}\n`);
  const bin = await makeFolder({ "kiro-cli": KIRO });
  await chmod(join(bin, "kiro-cli"), 0o755);
  const env = { PATH: `${bin}${delimiter}${process.env["PATH"]}`, HOME: home, KIRO_API_KEY: "a-key-of-nobody" };
  const run = await switchyard(["run", "--engine", engine, "Do it."], { cwd, env });
  const said = `warning: the engine ${name} does not support MCP servers, so it runs without tracker, files`;
  expect(run).toMatchObject({ exitCode: 0, stderr: said });
});
