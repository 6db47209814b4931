import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ExposedSocket } from "@switchyard/contracts";
import type { EnvironmentProxy } from "@switchyard/environment/local";
import { expect, onTestFinished, test } from "vitest";
import { makeFolders, openIn, type SandboxFolders, UNREADY } from "./open-sandbox.ts";

/** Starts a server on a Unix socket that answers each connection with its first line. */
async function startServer(): Promise<EnvironmentProxy & { isClosed: boolean }> {
  const folder = mkdtempSync(join(tmpdir(), "proxy-test-"));
  const socketPath = join(folder, "proxy.sock");
  const server: Server = createServer((socket) => {
    socket.once("data", (data) => socket.end(`HTTP/1.0 200 OK\r\n\r\n${data.toString().split("\r\n")[0]}\n`));
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const proxy = {
    socketPath,
    isClosed: false,
    async [Symbol.asyncDispose]() {
      server.close();
      proxy.isClosed = true;
    },
  };
  return proxy;
}

/** Starts a server on an exposed socket that returns all bytes of a connection, and whether it was ended. */
async function startEcho({ socketPath }: ExposedSocket): Promise<void> {
  const server = createServer({ allowHalfOpen: true }, (socket) => void socket.on("error", () => {}).pipe(socket));
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  chmodSync(socketPath, 0o666);
  onTestFinished(() => void server.close());
}

/** Makes a folder with programs of this machine, the given interpreter among them, and returns it as a PATH. */
function pathWith(interpreter: string, { root }: SandboxFolders): string {
  const folder = join(root, "bin");
  mkdirSync(folder);
  for (const name of ["bwrap", "env", "sh", "sleep", interpreter]) {
    // The `python3` on the PATH can be a script that needs other programs.
    const command = name === "python3" ? "python3 -c 'import sys; print(sys.executable)'" : `command -v ${name}`;
    const path = execFileSync("sh", ["-c", command], { encoding: "utf8" }).trim();
    symlinkSync(path, join(folder, name));
  }
  return folder;
}

/** Prints what a command gets from the proxy, from another network, and from the exposed socket at `argv[1]`. */
const CLIENT = `
  const net = require("node:net"), { env } = process;
  const ask = (port, host) => new Promise((done) => { let text = "";
    net.connect(port, host, function () { this.write("GET http://a.example/ HTTP/1.0\\r\\n\\r\\n"); })
      .on("data", (data) => { text += data; }).on("end", () => done(text.split("\\n").at(-2))).on("error", (e) => done(e.code)); });
  const echo = (url) => new Promise((done) => { const sent = require("node:crypto").randomBytes(3_000_000), parts = [];
    net.connect(new URL(url).port, "127.0.0.1", function () { this.end(sent); })
      .on("data", (data) => parts.push(data)).on("end", () => done(Buffer.concat(parts).equals(sent))).on("error", (e) => done(e.code)); });
  const { port, hostname } = new URL(env.HTTPS_PROXY);
  (async () => { console.log(await ask(Number(port), hostname), await ask(80, "192.0.2.1"), env.NO_PROXY, await echo(process.argv[1])); })();`;

test.for(["perl", "python3", "node"])(
  "a command in a sandbox reaches the proxy and exposed sockets through a relay in %s, and nothing else",
  async (interpreter, { skip }) => {
    skip(UNREADY !== undefined, UNREADY);
    skip(spawnSync(interpreter, ["--version"]).status !== 0, `${interpreter} is not installed`);
    const proxy = await startServer();
    const folders = makeFolders();
    const env = { PATH: pathWith(interpreter, folders), HOME: folders.home };
    const { environment } = await openIn(folders, { network: "list:a.example", proxy, env });
    const exposed = await environment.exposeSocket?.();
    if (exposed === undefined) throw new Error("a sandbox exposes sockets");
    await startEcho(exposed);
    const command = [process.execPath, "-e", CLIENT, exposed.url];
    const { stdout, stderr, exitCode } = await environment.exec(command);
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout: "GET http://a.example/ HTTP/1.0 ENETUNREACH localhost,127.0.0.1,::1 true\n",
      stderr: "",
      exitCode: 0,
    });
    const status = await environment.exec(["sh", "-c", "exit 7"]);
    expect(status.exitCode).toBe(7);
    await exposed[Symbol.asyncDispose]();
    expect((await environment.exec(command)).stdout).toContain("ECONNREFUSED");
    await environment[Symbol.asyncDispose]();
    expect(proxy.isClosed).toBe(true);
    await expect(environment.exposeSocket?.()).rejects.toMatchObject({ code: "environment.closed" });
  },
);
