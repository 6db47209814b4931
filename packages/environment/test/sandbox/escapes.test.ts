import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFolders, openIn, openSandbox, UNREADY } from "./open-sandbox.ts";

const isRoot = process.getuid?.() === 0;

test("commands can write only below the workspace [loop-4.3-5]", async ({ skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  const { environment, root, outside, home } = await openSandbox();
  const tries = [
    `echo x > '${outside}/new'`,
    `echo x >> '${outside}/secret.txt'`,
    `echo x > '${home}/.bashrc'`,
    `rm -f '${outside}/secret.txt'`,
    `mv '${outside}/secret.txt' .`,
    `chmod 777 '${outside}'`,
    `mkdir '${root}-beside'`,
    `ln -s '${outside}' link && echo x > link/new`,
    `echo x > '/proc/self/root${outside}/new'`,
    `echo x > '/proc/1/root${outside}/new'`,
    `cd /proc/self/cwd/.. && echo x > outside/new`,
    `ln '${outside}/secret.txt' hard && echo x > hard`,
    `touch /etc/new /usr/new /new`,
    `mount -o remount,rw,bind /`,
    `mount --bind '${outside}' . && echo x > new`,
  ];
  for (const command of tries) {
    const { exitCode } = await environment.shell(command);
    expect(exitCode, command).not.toBe(0);
  }
  expect(await environment.shell("echo inside > file && mkdir -p a/b && cat file")).toMatchObject({
    stdout: "inside\n",
    exitCode: 0,
  });
  expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("SECRET\n");
  for (const path of [join(outside, "new"), join(home, ".bashrc"), `${root}-beside`, join(root, "hard"), "/new"])
    expect(existsSync(path), path).toBe(false);
});

test("temporary folders belong to one environment, persist between commands, and are removed with it", async ({
  skip,
}) => {
  skip(UNREADY !== undefined, UNREADY);
  const first = await openSandbox();
  const second = await openSandbox();
  const put = 'f=$(mktemp) && echo kept > "$f" && echo "$f" && echo kept > /var/tmp/large && touch /tmp/sandbox-case';
  const { stdout } = await first.environment.shell(put);
  const file = stdout.trim();
  expect(file).toMatch(/^\/tmp\//);
  expect(await first.environment.shell(`cat '${file}' /var/tmp/large`)).toMatchObject({ stdout: "kept\nkept\n" });
  expect(existsSync(file)).toBe(false);
  expect(existsSync("/tmp/sandbox-case")).toBe(false);
  expect((await second.environment.shell("ls -A /tmp /var/tmp")).stdout).toBe("/tmp:\n\n/var/tmp:\n");
});

test("keys and credentials of the home folder are hidden, also through links", async ({ skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  const folders = makeFolders();
  const { root, home, outside } = folders;
  mkdirSync(join(home, ".ssh"));
  writeFileSync(join(home, ".ssh/id_test"), "SECRET KEY");
  writeFileSync(join(home, ".netrc"), "SECRET PASSWORD");
  mkdirSync(join(outside, "real-aws"));
  writeFileSync(join(outside, "real-aws/credentials"), "SECRET ACCESS");
  symlinkSync(join(outside, "real-aws"), join(home, ".aws"));
  writeFileSync(join(home, "my-keys"), "SECRET OWN");
  writeFileSync(join(home, ".gitconfig"), "[user]");
  symlinkSync(join(home, ".ssh/id_test"), join(root, "link"));
  const { environment } = await openIn(folders, { hide: ["my-keys"] });
  const all = `cat ~/.ssh/* ~/.netrc ~/.aws/* '${outside}'/real-aws/* ~/my-keys link /proc/1/root${home}/.ssh/*; grep -r SECRET ~`;
  const { stdout, exitCode } = await environment.shell(all);
  expect(stdout).not.toContain("SECRET");
  expect(exitCode).not.toBe(0);
  expect(await environment.shell("cat ~/.gitconfig; ls -A ~/.ssh")).toMatchObject({ stdout: "[user]" });
  const { environment: open } = await openIn(folders, { reveal: [".netrc"] });
  expect(await open.shell("cat ~/.netrc ~/.ssh/*")).toMatchObject({ stdout: "SECRET PASSWORD" });
});

test("folders of agents are hidden, also where environment variables name them, except in the workspace", async ({
  skip,
}) => {
  skip(UNREADY !== undefined, UNREADY);
  const folders = makeFolders({ "own/note": "visible" });
  const { root, home, outside } = folders;
  const stores = [".copilot", ".local/share/opencode"].map((path) => join(home, path));
  const named = ["codex", "data/opencode", "gemini/.gemini"].map((path) => join(outside, path));
  for (const folder of [...stores, ...named]) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "auth.json"), "AGENT KEY");
  }
  writeFileSync(join(outside, "data/other"), "visible");
  const env = {
    ...{ PATH: process.env["PATH"], HOME: home, CODEX_HOME: join(outside, "codex") },
    ...{ XDG_DATA_HOME: join(outside, "data"), GEMINI_CLI_HOME: join(outside, "gemini") },
    ...{ CLAUDE_CONFIG_DIR: join(root, "own") },
  };
  const { environment } = await openIn(folders, { env });
  const { stdout } = await environment.shell(
    `cat own/note '${outside}/data/other'; grep -r 'AGENT KEY' ~ '${outside}'`,
  );
  expect(stdout).toBe("visiblevisible");
});

test("hidden paths in the workspace are hidden from file operations, and cannot be created", async ({ skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  const folders = makeFolders({ ".ssh/id_test": "SECRET KEY", ".docker/config.json": "SECRET", "a.txt": "SECRET? no" });
  const { environment } = await openIn({ ...folders, home: folders.root });
  for (const read of [
    () => environment.readFile(".ssh/id_test"),
    () => environment.listDirectory(".ssh"),
    () => environment.writeFile(".ssh/authorized_keys", "x"),
    () => environment.writeFile(".kube/config", "x"),
    () => environment.remove(".docker"),
  ])
    await expect(read()).rejects.toMatchObject({ code: "environment.permission_denied" });
  expect((await environment.grep("SECRET")).matches.map(({ path }) => path)).toEqual(["a.txt"]);
  expect(await environment.glob("**/*")).toEqual(["a.txt"]);
  const { stdout } = await environment.shell(
    "cat .ssh/* .docker/*; mkdir .kube; echo x > .kube/config; echo x > .netrc",
  );
  expect(stdout).toBe("");
  expect(existsSync(join(folders.root, ".kube"))).toBe(false);
  expect(existsSync(join(folders.root, ".netrc"))).toBe(false);
});

test("the network is isolated unless it is allowed", async ({ skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  const server = createServer((socket) => socket.end("reached")).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const connect = `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`;
  const { environment } = await openSandbox();
  expect(await environment.shell(connect)).toMatchObject({ stdout: "", exitCode: 1 });
  const { environment: open } = await openSandbox({}, { network: "allow" });
  expect(await open.shell(connect)).toMatchObject({ stdout: "reached", exitCode: 0 });
  const script =
    "import socket as s; a = s.create_server(('127.0.0.1', 0)); s.create_connection(a.getsockname()); print('own')";
  expect((await environment.exec(["python3", "-c", script])).stdout).toBe("own\n");
});

test("sockets of services are unreachable", async ({ skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  const { environment } = await openSandbox({}, { env: { PATH: process.env["PATH"], SSH_AUTH_SOCK: "/run/agent" } });
  expect(await environment.shell("ls -A /run /var/run/; echo $SSH_AUTH_SOCK; touch /run/new")).toMatchObject({
    stdout: "/run:\n\n/var/run/:\n\n",
    exitCode: 1,
  });
});

test("outside processes can be neither listed, signalled nor inspected", async ({ skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  const victim = spawn("sleep", ["300"], { stdio: "ignore" });
  onTestFinished(() => void victim.kill("SIGKILL"));
  const { environment } = await openSandbox();
  const { stdout } = await environment.shell(
    `kill -9 ${victim.pid}; kill -9 -1; cat /proc/${victim.pid}/environ; ps -e -o comm= | sort | uniq; ls /proc/*/ns/pid | wc -l`,
  );
  expect(stdout).not.toContain("sleep");
  expect(victim.exitCode).toBeNull();
  expect(victim.signalCode).toBeNull();
});

test("root on the machine has no privileges inside", async ({ skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  skip(!isRoot, "needs root");
  const before = readFileSync("/proc/sys/kernel/core_pattern", "utf8");
  const { environment } = await openSandbox();
  // The existing content is written again, so that a leaking sandbox causes no damage.
  for (const command of [
    'v=$(cat /proc/sys/kernel/core_pattern); echo "$v" > /proc/sys/kernel/core_pattern',
    "mount -t tmpfs none /mnt",
    "mount -o remount,rw /proc",
    "umount /proc",
    "mknod device b 8 0",
    "chroot /",
    "unshare --user --map-root-user --mount mount -o remount,rw,bind /",
    'hostname "$(hostname)"',
  ]) {
    const { exitCode } = await environment.shell(command);
    expect(exitCode, command).not.toBe(0);
  }
  expect(await environment.shell("cat /etc/shadow")).toMatchObject({ stdout: "" });
  expect(readFileSync("/proc/sys/kernel/core_pattern", "utf8")).toBe(before);
});

test("root may still change owners and write to files of others in the workspace", async ({ skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  skip(!isRoot, "needs root");
  const { environment } = await openSandbox({ "a.txt": "old" });
  const script = "chown 12345 a.txt && chmod 600 a.txt && echo new > a.txt && stat -c %u a.txt && cat a.txt";
  expect(await environment.shell(script)).toMatchObject({ stdout: "12345\nnew\n", exitCode: 0 });
});

test("a setuid program gains no privileges", async ({ skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  const { environment } = await openSandbox();
  expect(await environment.shell("grep NoNewPrivs /proc/self/status")).toMatchObject({ stdout: "NoNewPrivs:\t1\n" });
});

test("two sandboxes with different rules do not affect each other", async ({ skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  const folders = makeFolders();
  const strict = await openIn(folders, { protect: ["kept"] });
  const loose = await openIn(folders, { writable: [folders.outside], unprotect: [".envrc"] });
  const write = `echo x > kept/a; echo x > .envrc; echo x > '${folders.outside}/new'; ls -d kept .envrc '${folders.outside}/new' | grep -c .`;
  const runs = [0, 1, 2, 3].flatMap(() => [strict.environment.shell(write), loose.environment.shell(write)]);
  const results = (await Promise.all(runs)).map(({ stderr }) => stderr);
  for (const [index, stderr] of results.entries())
    expect(stderr.includes("outside/new: Read-only"), stderr).toBe(index % 2 === 0);
  expect(existsSync(join(folders.outside, "new"))).toBe(true);
});
