import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mustRun } from "@switchyard/container-engines";
import { openSshEnvironment } from "@switchyard/environment/ssh";
import { expect, test } from "vitest";
import { openMachine } from "./open-machine.ts";
import { freePort, renderClientConfig } from "./test-sshd.ts";

const hostEnv = { PATH: process.env["PATH"] };

test.each([
  ["-oProxyCommand=touch planted", {}, "host"],
  ["", {}, "host"],
  ["host;touch planted", {}, "host"],
  ["$(touch planted)", {}, "host"],
  ["host\nname", {}, "host"],
  ["me@host", {}, "host"],
  ["host", { user: "-oProxyCommand=x" }, "user"],
  ["host", { user: "me;x" }, "user"],
  ["host", { port: 0 }, "port"],
  ["host", { port: 65_536 }, "port"],
  ["host", { port: 22.5 }, "port"],
  ["host", JSON.parse('{"hostKeys":"no"}'), "hostKeys"],
  ["host", { identityFile: "-F" }, "identityFile"],
  ["host", { configFile: "a\0b" }, "configFile"],
  ["host", { workingDirectory: "relative" }, "workingDirectory"],
  ["host", { client: "ssh" }, "client"],
])("host %j with %j is rejected before any client starts", async (host, more, field) => {
  const opening = openSshEnvironment({ host, workingDirectory: "/", hostEnv, ...more });
  await expect(opening).rejects.toMatchObject({ code: "config.invalid", details: { field } });
});

test("a missing client is reported with what to install", async () => {
  const opening = openSshEnvironment({ host: "host", workingDirectory: "/", hostEnv: { PATH: "/nowhere" } });
  await expect(opening).rejects.toMatchObject({
    code: "environment.unavailable",
    details: { environment: "ssh:host", problem: expect.stringContaining("install") },
  });
});

test("an unknown key, a changed key, a failed login and a silent host each report a remedy, without a key", async ({
  skip,
}) => {
  const { sshd, options } = await openMachine(skip);
  const path = (name: string): string => join(sshd.folder, name);
  writeFileSync(path("empty"), "");
  await mustRun(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path("other_key")]);
  const otherKey = readFileSync(path("other_key.pub"), "utf8").split(" ").slice(0, 2).join(" ");
  writeFileSync(path("changed"), `[127.0.0.1]:${sshd.port} ${otherKey}\n`);
  const known = { port: sshd.port, knownHosts: path("known_hosts"), identityFile: sshd.identityFile };
  const cases = {
    "not known": { ...known, knownHosts: path("empty") },
    another: { ...known, knownHosts: path("changed") },
    refused: { ...known, identityFile: path("other_key") },
    "does not answer": { ...known, port: await freePort() },
  };
  for (const [expected, config] of Object.entries(cases)) {
    // Weaker settings in the user's configuration must have no effect.
    writeFileSync(path("config"), `${renderClientConfig("testhost", config)}  StrictHostKeyChecking no\n`);
    const opening = openSshEnvironment({ ...options, configFile: path("config") });
    const error = await opening.catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: "environment.unavailable",
      details: { problem: expect.stringContaining(expected) },
    });
    expect(String(error)).not.toMatch(/AAAA|ssh-ed25519|PRIVATE/);
  }
});

test("a new machine's key is accepted and stored if requested, a changed key never [adapter-ssh-2]", async ({
  skip,
}) => {
  const { sshd, options } = await openMachine(skip);
  const path = (name: string): string => join(sshd.folder, name);
  const known = { port: sshd.port, knownHosts: path("met"), identityFile: sshd.identityFile };
  writeFileSync(path("config"), renderClientConfig("testhost", known));
  const opening = { ...options, configFile: path("config") };
  await expect(openSshEnvironment(opening)).rejects.toMatchObject({ code: "environment.unavailable" });
  await using environment = await openSshEnvironment({ ...opening, hostKeys: "accept-new" });
  expect((await environment.exec(["echo", "there"])).stdout).toBe("there\n");
  expect(readFileSync(path("met"), "utf8")).toContain("ssh-ed25519");
  await mustRun(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path("stranger")]);
  const otherKey = readFileSync(path("stranger.pub"), "utf8").split(" ").slice(0, 2).join(" ");
  writeFileSync(path("met"), `[127.0.0.1]:${sshd.port} ${otherKey}\n`);
  const changed = openSshEnvironment({ ...opening, hostKeys: "accept-new" });
  await expect(changed).rejects.toMatchObject({ details: { problem: expect.stringContaining("another") } });
});

test("the client never prompts, times out, and detects a lost machine [adapter-ssh-2]", async () => {
  const folder = mkdtempSync(join(tmpdir(), "environment-ssh-"));
  const client = join(folder, "client");
  writeFileSync(client, `#!/bin/sh\nprintf '%s\\n' "$@" > "${folder}/asked"\nexit 255\n`, { mode: 0o755 });
  const opening = openSshEnvironment({ host: "host", workingDirectory: "/", hostEnv, client, connectTimeoutMs: 7_000 });
  await expect(opening).rejects.toMatchObject({ code: "environment.unavailable" });
  const requests = readFileSync(join(folder, "asked"), "utf8").split("\n");
  for (const option of ["BatchMode=yes", "ConnectTimeout=7", "ServerAliveInterval=15", "StrictHostKeyChecking=yes"]) {
    expect(requests).toContain(`-o${option}`);
  }
  rmSync(folder, { recursive: true });
});

test("the content of a key passed as a configuration is not reported", async ({ skip }) => {
  const { sshd, options } = await openMachine(skip);
  const opening = openSshEnvironment({ ...options, configFile: sshd.identityFile });
  const error = await opening.catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    code: "environment.unavailable",
    details: { problem: expect.stringContaining("configuration") },
  });
  expect(String(error)).not.toMatch(/BEGIN|PRIVATE|b3Bl/);
});

test("a missing workspace and a file at its path are distinguished", async ({ skip }) => {
  const { open, root } = await openMachine(skip);
  writeFileSync(join(root, "a.txt"), "");
  await expect(open({ workingDirectory: join(root, "no") })).rejects.toMatchObject({ code: "workspace.not_found" });
  await expect(open({ workingDirectory: join(root, "a.txt") })).rejects.toMatchObject({
    code: "workspace.not_a_directory",
  });
});

test("port, key and user are read from the options and from the configuration", async ({ skip }) => {
  const { sshd, open } = await openMachine(skip);
  const configFile = join(sshd.folder, "bare_config");
  writeFileSync(configFile, `UserKnownHostsFile ${join(sshd.folder, "known_hosts")}\n`);
  const { username } = (await import("node:os")).userInfo();
  const environment = await open({
    host: "127.0.0.1",
    port: sshd.port,
    user: username,
    identityFile: sshd.identityFile,
    configFile,
  });
  expect(environment.name).toBe(`ssh:${username}@127.0.0.1:${sshd.port}`);
  expect((await environment.exec(["echo", "there"])).stdout).toBe("there\n");
});
