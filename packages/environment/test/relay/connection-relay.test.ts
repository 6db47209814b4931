import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { type ConnectionRelay, openConnectionRelay } from "@switchyard/environment";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { expect, onTestFinished, test } from "vitest";

/** An environment whose PATH has the given programs only. */
interface Place {
  readonly environment: ExecutionEnvironment;
  /** Adds a program to the PATH. */
  addProgram(name: string, script: string): void;
}

/** Path of a program of this machine. The `python3` on the PATH can be a script that needs other programs. */
function pathOf(name: string): string {
  const command = name === "python3" ? "python3 -c 'import sys; print(sys.executable)'" : `command -v ${name}`;
  return execFileSync("sh", ["-c", command], { encoding: "utf8" }).trim();
}

function isInstalled(name: string): boolean {
  return spawnSync(name, ["--version"]).status === 0;
}

async function openPlace(programs: readonly string[]): Promise<Place> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "relay-test-"));
  const path = join(folder, "bin");
  mkdirSync(path);
  for (const name of ["sh", "cat", ...programs]) {
    symlinkSync(pathOf(name), join(path, name));
  }
  const environment = await openLocalEnvironment({ root: folder, env: { PATH: path, HOME: folder } });
  onTestFinished(async () => {
    await environment[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    environment,
    addProgram(name, script) {
      writeFileSync(join(path, name), `#!/bin/sh\n${script}\n`);
      chmodSync(join(path, name), 0o755);
    },
  };
}

async function connectTo({ url }: Pick<ConnectionRelay, "url">): Promise<Socket> {
  const client = connect({ host: "127.0.0.1", port: Number(new URL(url).port), allowHalfOpen: true });
  await once(client, "connect");
  // A closed relay resets its connections.
  return client.on("error", () => {});
}

/** Reads a stream to its end and, unlike `buffer`, does not destroy it then. */
async function collect(stream: Duplex): Promise<Buffer> {
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(stream, "end");
  return Buffer.concat(chunks);
}

/** Sends bytes through a connection whose other side returns them, and resolves with what comes back. */
async function echo(relay: ConnectionRelay, bytes: Buffer): Promise<boolean> {
  const client = await connectTo(relay);
  client.end(bytes);
  return (await buffer(client)).equals(bytes);
}

test.for(["perl", "python3", "node"])(
  "a relay in %s carries connections in both directions, and slow ones do not delay others",
  async (interpreter, { skip }) => {
    skip(!isInstalled(interpreter), `${interpreter} is not installed`);
    const { environment } = await openPlace([interpreter]);
    const silent: Duplex[] = [];
    let isSilent = false;
    const relay = await openConnectionRelay(environment, (connection) => {
      if (isSilent) silent.push(connection);
      else connection.pipe(connection);
    });
    const bytes = randomBytes(700_000);
    const sizes = [0, 1, 40_000, 700_000];
    expect(await Promise.all(sizes.map((size) => echo(relay, bytes.subarray(0, size))))).toEqual(sizes.map(() => true));

    isSilent = true;
    const [writer, reader] = [await connectTo(relay), await connectTo(relay)];
    const large = Buffer.alloc(12_000_000, "x");
    writer.end(large);
    await expect.poll(() => silent.length).toBe(2);
    const [unread, unwritten] = silent;
    if (unread === undefined || unwritten === undefined) throw new Error("two clients have connected");
    unwritten.write(large);
    isSilent = false;
    // Once these bytes have passed, the relay has taken what it may of the other two connections.
    expect(await echo(relay, bytes)).toBe(true);
    expect(unread.readableLength).toBeLessThanOrEqual(256 * 1024);
    expect(unwritten.writableLength).toBe(large.length);
    // The connection is sent nothing else after it was closed, but the client gets all that was sent before.
    unread.end(bytes);
    const [received, returned] = await Promise.all([collect(unread), collect(writer)]);
    expect([received.equals(large), returned.equals(bytes)]).toEqual([true, true]);
    // A client that goes away ends its connection.
    reader.destroy();
    await new Promise<void>((resolve) => {
      unwritten.on("error", () => {}).once("close", () => resolve());
    });

    const last = await connectTo(relay);
    await environment[Symbol.asyncDispose]();
    await relay.ended;
    await buffer(last).catch(() => {});
    await expect(connectTo(relay)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  },
);

test("disposing a relay ends its connections and its program", async ({ skip }) => {
  skip(!isInstalled("perl"), "perl is not installed");
  const { environment } = await openPlace(["perl"]);
  const opened: Duplex[] = [];
  const relay = await openConnectionRelay(environment, (connection) => opened.push(connection));
  await connectTo(relay);
  await expect.poll(() => opened.length).toBe(1);
  await relay[Symbol.asyncDispose]();
  expect(opened[0]?.destroyed).toBe(true);
  await expect(connectTo(relay)).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test("an HTTP server ends a connection that is idle between two requests", async ({ skip }) => {
  skip(!isInstalled("perl"), "perl is not installed");
  const { environment } = await openPlace(["perl"]);
  const server = createServer({ keepAliveTimeout: 1 }, (_request, response) => response.end("Done."));
  const relay = await openConnectionRelay(environment, (connection) => server.emit("connection", connection));
  const client = await connectTo(relay);
  client.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  expect((await buffer(client)).toString()).toMatch(/^HTTP\/1\.1 200 [\s\S]*Done\.$/);
});

test("an environment without an interpreter is refused", async () => {
  const { environment, addProgram } = await openPlace([]);
  addProgram("python3", "exit 1");
  await expect(openConnectionRelay(environment, () => {})).rejects.toMatchObject({
    code: "environment.unavailable",
    message: expect.stringContaining("needs perl, python3 or node"),
  });
});

/** Octal escapes for `printf` of a frame, without its payload. */
function frame(kind: string, id: number, size: number): string {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(id, 0);
  head.writeUInt32LE(size, 4);
  return kind + [...head].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}

const DATA = frame("d", 1, 32_768);
const FLOOD = `i=0; while [ $i -lt 12 ]; do printf '${DATA}%032768d' 0; i=$((i+1)); done`;

test.each([
  ["sends more than the window allows", FLOOD],
  ["sends data after its end", `printf '${frame("e", 1, 0)}${frame("d", 1, 1)}x'`],
  ["ends twice", `printf '${frame("e", 1, 0)}${frame("e", 1, 0)}'`],
  ["gives more credit than the window", `printf '${frame("w", 1, 1)}1'`],
  ["gives credit that is no number", `printf '${frame("w", 1, 2)}1x'`],
  ["sends an unknown frame", `printf '${frame("z", 1, 0)}'`],
  ["sends a frame that is too large", `printf '${frame("d", 1, 32_769)}'`],
])("a connection is closed if its relay %s", async (_fault, script) => {
  const { environment, addProgram } = await openPlace([]);
  addProgram(
    "perl",
    `[ "$2" = "use Socket; use Fcntl;" ] && exit; printf '${frame("r", 0, 1)}9${frame("o", 1, 0)}'; ${script}; exec cat >/dev/null`,
  );
  let closed: Promise<unknown> | undefined;
  const relay = await openConnectionRelay(environment, (connection) => {
    closed = once(
      connection.on("error", () => {}),
      "close",
    );
  });
  await closed;
  await relay[Symbol.asyncDispose]();
});

test("an error names the exit code and the message of a relay that ends at its start", async () => {
  const place = await openPlace([]);
  // Succeeds as a probe, and fails as a relay, which has two arguments more.
  place.addProgram("perl", '[ $# -gt 2 ] || exit 0\necho "no free port" >&2\nexit 3');
  await expect(openConnectionRelay(place.environment, () => {})).rejects.toMatchObject({
    code: "environment.unavailable",
    message: expect.stringContaining("ended with exit code 3 at its start: no free port"),
  });
});
