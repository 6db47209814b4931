import type { SpawnedProcess } from "@switchyard/contracts";
import { expect, onTestFinished, test } from "vitest";
import { openRemoteEnvironment } from "../../src/remote/open-remote-environment.ts";
import type { RemoteBackend } from "../../src/remote/remote-backend.ts";
import { makeLocalFolders } from "../environments/local-folders.ts";
import { createShellBackend } from "./shell-backend.ts";

/** Number of bytes larger than the capacity of all pipes and buffers in between. */
const BEFORE_BYTES = 4 * 1024 * 1024;

/** Delivers standard error only after the given number of bytes of standard output, or after its end. */
function onOneConnection(client: SpawnedProcess): SpawnedProcess {
  let [received, open] = [0, (): void => {}];
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const counts = new TransformStream<Uint8Array, Uint8Array>(
    {
      transform(chunk, controller) {
        controller.enqueue(chunk);
        received += chunk.length;
        if (received >= BEFORE_BYTES) open();
      },
      flush: () => open(),
    },
    undefined,
    { highWaterMark: 0 },
  );
  const waits = new TransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, controller) {
      await opened;
      controller.enqueue(chunk);
    },
  });
  return {
    ...{ pid: client.pid, stdin: client.stdin, exited: client.exited, kill: client.kill.bind(client) },
    stdout: client.stdout.pipeThrough(counts),
    stderr: client.stderr.pipeThrough(waits),
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

async function openEnvironment() {
  const { root, subject } = await makeLocalFolders();
  const shell = createShellBackend(["sh"], { PATH: process.env["PATH"] ?? "/bin" });
  const backend: RemoteBackend = {
    ...shell,
    async start(script, options) {
      const client = await shell.start(script, options);
      // Only commands are delayed: the remote shells for requests use standard output only.
      return script.includes("sy_line") ? client : onOneConnection(client);
    },
  };
  const environment = await openRemoteEnvironment(backend, { workingDirectory: root });
  onTestFinished(async () => {
    await environment[Symbol.asyncDispose]();
    await subject.dispose?.();
  });
  return environment;
}

test("output that arrives before the report of the start is not lost", async () => {
  const environment = await openEnvironment();
  const size = 2 * BEFORE_BYTES;
  let reported = 0;
  const result = await environment.shell(`head -c ${size} /dev/zero; echo err >&2; exit 3`, {
    onOutput: ({ stream, text }) => {
      if (stream === "stdout") reported += text.length;
    },
  });
  expect([reported, result.stderr, result.exitCode]).toEqual([size, "err\n", 3]);
});

test("endless output is read until the timeout", async () => {
  const environment = await openEnvironment();
  const { timedOut, exitCode, droppedBytes } = await environment.exec(["cat", "/dev/zero"], { timeoutMs: 200 });
  expect([timedOut, exitCode, droppedBytes > 0]).toEqual([true, 143, true]);
});

test("a spawned command runs, and its output can be read", async () => {
  const environment = await openEnvironment();
  await using spawned = await environment.spawn(["cat", "/dev/zero"]);
  const reader = spawned.stdout.getReader();
  expect((await reader.read()).value?.length).toBeGreaterThan(0);
});

test("the duration counts from the command's start, even if the start is reported late [loop-4.2-6]", async () => {
  const environment = await openEnvironment();
  const { durationMs, exitCode } = await environment.exec(["sleep", "0.5"]);
  expect(exitCode).toBe(0);
  expect(durationMs).toBeGreaterThanOrEqual(490);
});
