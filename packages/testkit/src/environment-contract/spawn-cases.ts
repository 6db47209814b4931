import assert from "node:assert/strict";
import type { SpawnedProcess, SpawnOptions } from "@switchyard/contracts";
import { applies, type CaseBody } from "../contract/define-contract.ts";
import { outcomeOf } from "../contract/expectations.ts";
import {
  assertRefusedAs,
  createMark,
  type EnvironmentBench,
  pause,
  takeTurns,
  timed,
  toBytes,
  toText,
} from "./environment-bench.ts";

/** Reads the rest of a stream. */
async function readAll(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Reads a stream until the given number of bytes has arrived. */
async function readText(reader: ReadableStreamDefaultReader<Uint8Array>, length: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let read = 0;
  while (read < length) {
    const { value, done } = await reader.read();
    if (done) break;
    chunks.push(value);
    read += value.length;
  }
  return toText(Buffer.concat(chunks));
}

async function openLine(bench: EnvironmentBench, line: string, options?: SpawnOptions): Promise<SpawnedProcess> {
  bench.needs("spawn");
  return bench.environment.spawn(["sh", "-c", line], options);
}

/**
 * Waits until a value that a program changes stays the same for a minimum time and a minimum number of event loop turns.
 * Some readers read only a little in each turn, and on a busy machine programs and readers get few turns per second.
 */
async function awaitStandstill(read: () => Promise<string>): Promise<void> {
  // The file is empty for a moment each time the program writes it.
  const readWhole = async (): Promise<string> => {
    for (;;) {
      const text = await read();
      if (text !== "") return text;
      await pause(10);
    }
  };
  for (let [last, next] = ["", await readWhole()]; next !== last; [last, next] = [next, await readWhole()]) {
    await Promise.all([pause(1_500), takeTurns(5_000)]);
  }
}

/** Conformance cases for spawned programs. */
export const spawnCases: readonly CaseBody<EnvironmentBench>[] = [
  {
    id: "environment/spawn-duplex",
    requirement: "loop-4.1-3",
    title: "Writes to and reads from a spawned program while it runs",
    async check(bench) {
      bench.needs("spawn");
      await using spawned = await bench.environment.spawn(["cat"]);
      const [writer, reader] = [spawned.stdin.getWriter(), spawned.stdout.getReader()];
      for (const text of ["one\n", "zwölf 😀\n", "x"]) {
        await writer.write(toBytes(text));
        assert.equal(await readText(reader, toBytes(text).length), text);
      }
      await writer.close();
      assert.equal((await reader.read()).done, true);
      assert.deepEqual(await spawned.exited, { exitCode: 0 });
    },
  },
  {
    id: "environment/spawn-last-byte",
    requirement: "loop-4.1-3",
    title: "Returns the output of a waiting program at once, whatever its last byte is",
    async check(bench) {
      bench.needs("spawn");
      await using spawned = await bench.environment.spawn(["cat"]);
      const [writer, reader] = [spawned.stdin.getWriter(), spawned.stdout.getReader()];
      for (let byte = 0; byte < 256; byte += 1) {
        await writer.write(new Uint8Array([byte]));
        const { value } = await Promise.race([
          reader.read(),
          pause(bench.toleranceMs).then(() => ({ value: undefined })),
        ]);
        assert.deepEqual(value === undefined ? undefined : [...value], [byte], `byte ${byte} does not arrive`);
      }
    },
  },
  {
    id: "environment/spawn-half-close",
    requirement: "loop-4.1-3",
    title: "Ends the program's input when it is closed, and still returns the program's output",
    async check(bench) {
      bench.needs("spawn");
      await using spawned = await bench.environment.spawn(["sort"]);
      const writer = spawned.stdin.getWriter();
      await writer.write(toBytes("b\nc\na\n"));
      await writer.close();
      assert.equal(toText(await readAll(spawned.stdout)), "a\nb\nc\n");
      assert.equal((await spawned.exited).exitCode, 0);
    },
  },
  {
    id: "environment/spawn-streams",
    requirement: ["loop-4.1-3", "loop-4.2-5"],
    title: "Returns both streams of a spawned program separately, and its exit code",
    async check(bench) {
      await using spawned = await openLine(bench, "echo out; echo err >&2; exit 3");
      const texts = await Promise.all([spawned.stdout, spawned.stderr].map(readAll));
      assert.deepEqual(texts.map(toText), ["out\n", "err\n"]);
      assert.deepEqual(await spawned.exited, { exitCode: 3 });
    },
  },
  {
    id: "environment/spawn-every-byte",
    requirement: "loop-4.1-3",
    title: "Passes every byte unchanged in both directions",
    async check(bench) {
      bench.needs("spawn");
      const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 11 + (index >> 8)) & 255);
      await using spawned = await bench.environment.spawn(["cat"]);
      const write = async (): Promise<void> => {
        const writer = spawned.stdin.getWriter();
        for (let at = 0; at < bytes.length; at += 7_777) await writer.write(bytes.slice(at, at + 7_777));
        await writer.close();
      };
      const [read] = await Promise.all([readAll(spawned.stdout), write()]);
      assert.ok(
        Buffer.from(read).equals(Buffer.from(bytes)),
        `${read.length} bytes were returned, or their values differ`,
      );
    },
  },
  {
    id: "environment/spawn-back-pressure",
    requirement: "loop-4.1-3",
    title: "Blocks a program that prints faster than its output is read, and loses nothing",
    async check(bench) {
      bench.needs("processes", "writing");
      // The program prints more than all buffers of sockets and clients can hold together.
      const print = "echo $n >printed; head -c 250000 /dev/zero; n=$((n + 1))";
      await using spawned = await openLine(bench, `n=0; while [ $n -lt 128 ]; do ${print}; done; touch over`);
      const reader = spawned.stdout.getReader();
      const first = await reader.read();
      await awaitStandstill(() => bench.environment.readFile("printed"));
      assert.equal(
        await bench.environment.exists("over"),
        false,
        "32 million bytes were accepted although they were not read",
      );
      let size = first.value?.length ?? 0;
      for (let next = await reader.read(); !next.done; next = await reader.read()) size += next.value.length;
      assert.deepEqual([size, (await spawned.exited).exitCode], [32_000_000, 0]);
      assert.equal(await bench.environment.exists("over"), true);
    },
  },
  {
    id: "environment/spawn-unread",
    requirement: "loop-4.1-3",
    title: "Keeps unread output available after the program has ended",
    async check(bench) {
      await using spawned = await openLine(bench, "seq 1 3000; echo end >&2");
      await spawned.exited;
      const [stdout, stderr] = await Promise.all([spawned.stdout, spawned.stderr].map(readAll));
      assert.equal(toText(stdout ?? new Uint8Array()).split("\n").length, 3_001);
      assert.equal(toText(stderr ?? new Uint8Array()), "end\n");
    },
  },
  {
    id: "environment/spawn-kill",
    requirement: "loop-4.2-4",
    title: "Ends the program and its process group with the sent signal, and reports the signal's name",
    async check(bench) {
      bench.needs("processes");
      const mark = createMark();
      for (const [signal, exitCode] of [
        ["SIGTERM", 143],
        ["SIGKILL", 137],
        [undefined, 143],
      ] as const) {
        await using spawned = await openLine(bench, `sleep ${mark} & echo up; sleep ${mark}; :`);
        await spawned.stdout.getReader().read();
        spawned.kill(signal);
        assert.deepEqual(await spawned.exited, { exitCode, signal: signal ?? "SIGTERM" });
        spawned.kill(signal);
      }
      await bench.assertNoProcesses(mark);
    },
  },
  {
    id: "environment/spawn-kill-unread",
    requirement: "loop-4.2-4",
    title: "Reports the end of a signalled program although its output is unread, and keeps the output",
    async check(bench) {
      bench.needs("processes");
      const stop = new AbortController();
      const ways = [(spawned: SpawnedProcess) => spawned.kill("SIGTERM"), () => stop.abort()];
      for (const end of ways) {
        await using spawned = await openLine(bench, "exec cat /dev/zero", { signal: stop.signal });
        // Waits until all output buffers are full.
        await pause(500);
        end(spawned);
        const { exitCode, signal } = await spawned.exited;
        // On a busy machine, the program may not end within the grace period, and gets SIGKILL.
        assert.ok(signal === "SIGTERM" || signal === "SIGKILL", `the signal was ${signal}`);
        assert.equal(exitCode, signal === "SIGTERM" ? 143 : 137);
        assert.ok((await readAll(spawned.stdout)).length > 0, "the printed output was lost");
      }
    },
  },
  {
    id: "environment/spawn-interrupt",
    requirement: "loop-4.2-4",
    title: "Sends SIGINT to a program, which may continue",
    async check(bench) {
      bench.needs("processes");
      await using spawned = await openLine(bench, "trap 'echo asked' INT; echo up; while :; do sleep 1; done");
      const reader = spawned.stdout.getReader();
      assert.equal(await readText(reader, 3), "up\n");
      spawned.kill("SIGINT");
      assert.equal(await readText(reader, 6), "asked\n");
    },
  },
  {
    id: "environment/spawn-dispose",
    requirement: "loop-4.2-2",
    title: "Leaves no spawned program or process group running after disposal, even if it ignores signals or has ended",
    async check(bench) {
      bench.needs("processes");
      const mark = createMark();
      for (const line of [
        `sleep ${mark} & echo up; sleep ${mark}`,
        `trap '' TERM; echo up; while :; do sleep ${mark}; done`,
        `sleep ${mark} & echo up`,
      ]) {
        const spawned = await openLine(bench, line);
        assert.equal(await readText(spawned.stdout.getReader(), 3), "up\n");
        const { durationMs } = await timed(async () => spawned[Symbol.asyncDispose]());
        assert.ok(durationMs < bench.killGraceMs + bench.toleranceMs, `it took ${Math.round(durationMs)} ms`);
        await bench.assertNoProcesses(mark);
        await spawned[Symbol.asyncDispose]();
        assert.equal(typeof (await spawned.exited).exitCode, "number");
      }
    },
  },
  {
    id: "environment/spawn-signal",
    requirement: "loop-4.1-4",
    title: "Ends a spawned program when the signal aborts, and starts nothing if it has already aborted",
    async check(bench) {
      bench.needs("processes", "spawn");
      const mark = createMark();
      const stop = new AbortController();
      await using spawned = await openLine(bench, `sleep ${mark} & echo up; sleep ${mark}`, { signal: stop.signal });
      await spawned.stdout.getReader().read();
      stop.abort();
      assert.notEqual((await spawned.exited).exitCode, 0);
      await bench.assertNoProcesses(mark);
      const late = await outcomeOf(() => bench.environment.spawn(["touch", "planted"], { signal: stop.signal }));
      assert.ok("error" in late, "a program was started after its signal had fired");
      assert.equal(await bench.environment.exists("planted"), false);
    },
  },
  {
    id: "environment/spawn-refused",
    requirement: "loop-4.1-3",
    title: "Rejects a missing program, and a folder outside the workspace, at the start",
    async check(bench) {
      bench.needs("spawn");
      const { environment } = bench;
      const missing = await assertRefusedAs(() => environment.spawn(["no-such-program"]), "command_not_found", "it");
      assert.equal(missing.details["command"], "no-such-program");
      await assertRefusedAs(() => environment.spawn([]), "spawn_failed", "nothing");
      const outside = () => environment.spawn(["cat"], { cwd: ".." });
      await assertRefusedAs(outside, "path_outside_workspace", "a folder outside");
      await assertRefusedAs(() => environment.spawn(["cat"], { cwd: "no" }), "file_not_found", "a missing folder");
    },
  },
  {
    id: "environment/spawn-options",
    requirement: "loop-4.1-4",
    title: "Passes arguments, folder and variables to a spawned program as to a command",
    async check(bench) {
      bench.needs("spawn");
      await bench.writeFiles({ "sub/a.txt": "" });
      const env = { set: { CONTRACT_GIVEN: "a 'b'\n" } };
      const argv = ["sh", "-c", 'pwd; printf "%s" "$CONTRACT_GIVEN"; printf "<%s>" "$@"', "sh", "a b", "", "$HOME"];
      await using spawned = await bench.environment.spawn(argv, { cwd: "sub", env });
      const { workingDirectory } = bench.environment;
      assert.equal(toText(await readAll(spawned.stdout)), `${workingDirectory}/sub\na 'b'\n<a b><><$HOME>`);
    },
  },
  {
    id: "environment/spawn-shell",
    requirement: "loop-4.2-3",
    title: "Spawns a command line in the shell",
    async check(bench) {
      bench.needs("spawn", "shell");
      const { environment } = bench;
      applies(environment.spawnShell, "the environment does not spawn command lines");
      await using spawned = await environment.spawnShell('read -r x; echo "got $x" | cat; exit 4');
      const writer = spawned.stdin.getWriter();
      await writer.write(toBytes("a line\n"));
      assert.equal(toText(await readAll(spawned.stdout)), "got a line\n");
      assert.deepEqual(await spawned.exited, { exitCode: 4 });
    },
  },
  {
    id: "environment/spawn-input-of-the-dead",
    requirement: "loop-4.1-3",
    title: "Fails or does nothing on a write to a program that has ended, and never hangs",
    async check(bench) {
      await using spawned = await openLine(bench, "exec <&-; exit 0");
      await spawned.exited;
      const writer = spawned.stdin.getWriter();
      writer.closed.catch(() => {});
      const { durationMs } = await timed(() => outcomeOf(() => writer.write(new Uint8Array(500_000))));
      assert.ok(durationMs < bench.toleranceMs, `it took ${Math.round(durationMs)} ms`);
    },
  },
  {
    id: "environment/spawn-close-of-the-dead",
    requirement: "loop-4.1-3",
    title: "Closes the input of a program that has ended without error, also after all output was read",
    async check(bench) {
      await using spawned = await openLine(bench, "echo out; exit 3");
      const [stdout] = await Promise.all([spawned.stdout, spawned.stderr].map(readAll));
      assert.deepEqual(await spawned.exited, { exitCode: 3 });
      await spawned.stdin.close();
      assert.equal(toText(stdout ?? new Uint8Array()), "out\n");
    },
  },
  {
    id: "environment/spawn-cancel",
    requirement: "loop-4.1-3",
    title: "Closes the output when the reader stops, which ends a program that continues to print",
    async check(bench) {
      bench.needs("processes");
      await using spawned = await openLine(bench, "yes 'a line'; echo never");
      const reader = spawned.stdout.getReader();
      await reader.read();
      await reader.cancel();
      const ended = await Promise.race([spawned.exited.then(() => true), pause(bench.toleranceMs).then(() => false)]);
      assert.ok(ended, "the program continues to print");
    },
  },
  {
    id: "environment/spawn-many",
    requirement: "loop-4.1-3",
    title: "Separates the streams of ten programs that are spawned concurrently",
    async check(bench) {
      bench.needs("spawn");
      const texts = await Promise.all(
        Array.from({ length: 10 }, async (_, index) => {
          await using spawned = await bench.environment.spawn(["cat"]);
          const writer = spawned.stdin.getWriter();
          await writer.write(toBytes(`${index}`));
          await writer.close();
          return toText(await readAll(spawned.stdout));
        }),
      );
      assert.deepEqual(texts, ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
    },
  },
];
