import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startMockModel } from "./mock-model.ts";
import { startProtectedServer } from "./protected-mcp-server.ts";
import { makeFolder, startSwitchyard, switchyard } from "./start-switchyard.ts";

const KEY = { ANTHROPIC_API_KEY: "test-key-that-is-not-real" };

/** Logs in to the server `box`, like a browser whose user approves. */
async function logIn(cwd: string, env: Record<string, string>) {
  const { command } = await startSwitchyard(["mcp", "login", "box", "--mcp-config", "mcp.json"], { cwd, env });
  let printed = "";
  for await (const line of command.iterable({ from: "stderr" })) {
    printed += `${line}\n`;
    const [address] = /http:\S+/.exec(line) ?? [];
    if (address !== undefined) expect((await fetch(address)).status).toBe(200);
  }
  return { login: await command, printed };
}

test("a user logs in to an MCP server, runs use the login, and its tokens appear nowhere else", async () => {
  await using box = await startProtectedServer();
  const [cwd, state, settings] = [await makeFolder(), await makeFolder(), await makeFolder()];
  await writeFile(join(cwd, "mcp.json"), JSON.stringify({ mcpServers: { box: { url: box.url } } }));
  const env = { ...KEY, XDG_CONFIG_HOME: settings };
  const { baseUrl } = await startMockModel("anthropic", [{ name: "box__add", arguments: { a: 2, b: 3 } }, "Done."]);
  const words = ["run", "--model", "anthropic/m", "--base-url", baseUrl, "--state", state, "--mcp-config", "mcp.json"];

  const before = await switchyard([...words, "Add."], { cwd, env });
  expect(before.stderr + before.stdout).toContain("switchyard mcp login box");

  const { login, printed } = await logIn(cwd, env);
  expect(login).toMatchObject({ exitCode: 0, stdout: "Logged in to box." });
  const file = join(settings, "switchyard", "mcp-sign-ins.json");
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  const again = await startMockModel("anthropic", [{ name: "box__add", arguments: { a: 2, b: 3 } }, "Done."]);
  const second = await switchyard([...words.map((word) => (word === baseUrl ? again.baseUrl : word)), "Add."], {
    cwd,
    env,
  });
  expect(second).toMatchObject({ exitCode: 0, stderr: "" });
  expect(JSON.stringify(again.mock.getLastRequest()?.body)).toContain("sum 5");
  const kept = await Promise.all(
    (await readdir(state, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => readFile(join(entry.parentPath, entry.name), "utf8")),
  );
  const seen = [
    printed,
    login.stdout,
    second.stdout,
    JSON.stringify(again.mock.getLastRequest()?.body),
    ...kept,
  ].join();
  for (const secret of box.secrets) expect(seen).not.toContain(secret);

  const logout = ["mcp", "logout", "box", "--mcp-config", "mcp.json"];
  expect((await switchyard(logout, { cwd, env })).stdout).toBe("Logged out of box.");
  expect((await switchyard(logout, { cwd, env })).stdout).toBe("You were not logged in to box.");
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ format: 1, servers: {} });
});

test("runs that find a token expired at the same time refresh it once, and each continues with the new token", async () => {
  await using box = await startProtectedServer();
  const files = { "mcp.json": JSON.stringify({ mcpServers: { box: { url: box.url } } }) };
  const [state, settings] = [await makeFolder(), await makeFolder()];
  const env = { ...KEY, XDG_CONFIG_HOME: settings };
  await logIn(await makeFolder(files), env);
  box.expireBehind(4);
  const runs = Array.from({ length: 4 }, async (_, number) => {
    const call = { name: "box__add", arguments: { a: number, b: 1 } };
    const { baseUrl, mock } = await startMockModel("anthropic", [call, "Done."]);
    const model = ["--model", "anthropic/m", "--base-url", baseUrl];
    const words = ["run", ...model, "--state", state, "--mcp-config", "mcp.json", "Add."];
    const run = await switchyard(words, { cwd: await makeFolder(files), env });
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.stringify(mock.getLastRequest()?.body)).toContain(`sum ${number + 1}`);
  });
  await Promise.all(runs);
  expect(box.refreshed).toBe(1);
  // Lock files are removed.
  expect(await readdir(join(settings, "switchyard"))).toEqual(["mcp-sign-ins.json"]);
});

test("a login to something that is not a server is refused with what to do", async () => {
  const cwd = await makeFolder({ "mcp.json": '{"mcpServers": {"demo": {"command": "true"}}}' });
  for (const [words, problem] of [
    [["demo"], "--mcp-config"],
    [["other", "--mcp-config", "mcp.json"], "configured servers: demo"],
    [["demo", "--mcp-config", "mcp.json"], "needs no login"],
  ] as const) {
    const run = await switchyard(["mcp", "login", ...words], { cwd });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain(problem);
  }
});
