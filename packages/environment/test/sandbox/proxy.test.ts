import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EnvironmentProxy } from "@switchyard/environment/local";
import { expect, onTestFinished, test } from "vitest";
import { makeFolders, openIn, UNREADY } from "./open-sandbox.ts";

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

test.skipIf(UNREADY !== undefined)("a command in a sandbox reaches the proxy, and nothing else", async () => {
  const proxy = await startServer();
  const { environment } = await openIn(makeFolders(), { network: "list:a.example", proxy });
  const script = `
    const net = require("node:net"), { env } = process;
    const ask = (port, host) => new Promise((done) => { let text = "";
      net.connect(port, host, function () { this.write("GET http://a.example/ HTTP/1.0\\r\\n\\r\\n"); })
        .on("data", (data) => { text += data; }).on("end", () => done(text.split("\\n").at(-2))).on("error", (e) => done(e.code)); });
    const { port, hostname } = new URL(env.HTTPS_PROXY);
    (async () => { console.log(await ask(Number(port), hostname), await ask(80, "192.0.2.1"), env.NO_PROXY); })();`;
  const { stdout, stderr, exitCode } = await environment.exec([process.execPath, "-e", script]);
  expect({ stdout, stderr, exitCode }).toEqual({
    stdout: "GET http://a.example/ HTTP/1.0 ENETUNREACH localhost,127.0.0.1,::1\n",
    stderr: "",
    exitCode: 0,
  });
  const status = await environment.shell("exit 7");
  expect(status.exitCode).toBe(7);
  await environment[Symbol.asyncDispose]();
  expect(proxy.isClosed).toBe(true);
});
