import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { DEPENDENCY, isExecutionEnvironment, SESSION_RESULT } from "@switchyard/contracts";
import { defineEngine } from "@switchyard/engine";
import { expect, test } from "vitest";
import { runSession } from "../src/index.ts";
import { task, temporaryWorkspace } from "./temporary-session.ts";

/**
 * Starts an OpenSSH server on loopback, which clients know as `machine`. Returns the reason if that is not possible.
 */
async function startMachine(): Promise<({ folder: string; configFile: string } & AsyncDisposable) | string> {
  const program = "/usr/sbin/sshd";
  if (!existsSync(program)) return "the OpenSSH server is not installed; install the package openssh-server";
  if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true, mode: 0o755 });
  const folder = mkdtempSync(join(tmpdir(), "runner-sshd-"));
  const [port, path] = [await freePort(), (name: string) => join(folder, name)];
  for (const key of ["host", "id"]) execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", path(key)]);
  writeFileSync(path("allowed"), readFileSync(path("id.pub")), { mode: 0o600 });
  const hostKey = readFileSync(path("host.pub"), "utf8").split(" ").slice(0, 2).join(" ");
  writeFileSync(path("known"), `[127.0.0.1]:${port} ${hostKey}\n`);
  const server = [`Port ${port}`, "ListenAddress 127.0.0.1", `HostKey ${path("host")}`, `PidFile ${path("pid")}`];
  const login = [`AuthorizedKeysFile ${path("allowed")}`, "StrictModes no", "UsePAM no", `SetEnv HOME=${folder}`];
  writeFileSync(path("server"), [...server, ...login, ""].join("\n"));
  const host = ["Host machine", "HostName 127.0.0.1", `Port ${port}`, `User ${userInfo().username}`];
  const known = [`IdentityFile ${path("id")}`, `UserKnownHostsFile ${path("known")}`, "GlobalKnownHostsFile /dev/null"];
  writeFileSync(path("client"), [...host, ...known, ""].join("\n"));
  const daemon = spawn(program, ["-D", "-f", path("server")], { stdio: "ignore" });
  const ended = new Promise<void>((resolve) => daemon.once("exit", () => resolve()));
  await expect.poll(() => existsSync(path("pid"))).toBe(true);
  return {
    folder,
    configFile: path("client"),
    [Symbol.asyncDispose]: async () => {
      daemon.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port is free");
  return address.port;
}

const engine = defineEngine(async (run, _host, board) => {
  const environment = run.deps.get(DEPENDENCY.environment);
  if (!isExecutionEnvironment(environment)) throw new Error("there is no environment");
  await environment.writeFile("a.txt", "b\n");
  await environment.writeFile("made.txt", "made\n");
  board.set(SESSION_RESULT, { exit_code: 0, final_message: "" });
});

test.for(["plain folder", "repository"])(
  "a %s on another machine has a diff, and nothing is left there",
  async (kind, { skip }) => {
    const machine = await startMachine();
    if (typeof machine === "string") return skip(machine);
    await using _ = machine;
    using workspace = temporaryWorkspace();
    workspace.write("a.txt", "a\n");
    if (kind === "repository") workspace.git("init", "-q");
    const { configFile } = machine;
    const there = { type: "ssh", host: "machine", workingDirectory: workspace.root, configFile } as const;
    const environment = { ...there, hostEnv: process.env };
    const report = await runSession(task(), workspace.options({ engine, environment, workspaceDiff: true }));
    expect(report).toMatchObject({ status: "completed", workspaceDiff: expect.stringContaining("-a\n+b\n") });
    expect(report.warnings).toBeUndefined();
    expect(report.workspaceDiff).toContain("+made");
    expect(readdirSync(join(machine.folder, ".cache/switchyard"))).toEqual([]);
  },
);
