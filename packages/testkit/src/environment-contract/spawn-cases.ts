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

/** Conformance cases for spawned programs. */
export const spawnCases: readonly CaseBody<EnvironmentBench>[] = [
  {
    id: "environment/spawn-duplex",
    requirement: "loop-4.1-3",
    title: "A spawned program is written to and read from while it runs",
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
    id: "environment/spawn-half-close",
    requirement: "loop-4.1-3",
    title: "Closing the input is its end for the program, whose output is still read",
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
    title: "A spawned program has both streams apart and its exit code",
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
    title: "Every byte goes in and comes out as it is",
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
      assert.ok(Buffer.from(read).equals(Buffer.from(bytes)), `${read.length} bytes came back, or others`);
    },
  },
  {
    id: "environment/spawn-back-pressure",
    requirement: "loop-4.1-3",
    title: "A program that prints faster than anybody reads waits, and nothing of it is lost",
    async check(bench) {
      bench.needs("processes", "writing");
      // The program prints more than all buffers of sockets and clients can hold together.
      await using spawned = await openLine(bench, "head -c 32000000 /dev/zero; touch over");
      const reader = spawned.stdout.getReader();
      const first = await reader.read();
      // Waits for a minimum time and a minimum number of event loop turns.
      // Some readers read only a little in each turn, and on a busy machine there are few turns per second.
      await Promise.all([pause(1_500), takeTurns(5_000)]);
      assert.equal(await bench.environment.exists("over"), false, "32 million bytes were taken, and nobody read them");
      let size = first.value?.length ?? 0;
      for (let next = await reader.read(); !next.done; next = await reader.read()) size += next.value.length;
      assert.deepEqual([size, (await spawned.exited).exitCode], [32_000_000, 0]);
      assert.equal(await bench.environment.exists("over"), true);
    },
  },
  {
    id: "environment/spawn-unread",
    requirement: "loop-4.1-3",
    title: "What nobody read while the program lived is still there afterwards",
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
    title: "A signal that is sent ends the program and its group, and is told by its name",
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
      await bench.assertGone(mark);
    },
  },
  {
    id: "environment/spawn-kill-unread",
    requirement: "loop-4.2-4",
    title: "The end of a program that was sent a signal is told although nobody reads its output, which stays there",
    async check(bench) {
      bench.needs("processes");
      const stop = new AbortController();
      const ways = [(spawned: SpawnedProcess) => spawned.kill("SIGTERM"), () => stop.abort()];
      for (const end of ways) {
        await using spawned = await openLine(bench, "exec cat /dev/zero", { signal: stop.signal });
        // Waits until all output buffers are full.
        await pause(500);
        end(spawned);
        assert.deepEqual(await spawned.exited, { exitCode: 143, signal: "SIGTERM" });
        assert.ok((await readAll(spawned.stdout)).length > 0, "nothing is left of what it had printed");
      }
    },
  },
  {
    id: "environment/spawn-interrupt",
    requirement: "loop-4.2-4",
    title: "A program is told SIGINT and may go on",
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
    title: "After disposal nothing is left of a spawned program and its group, be it stubborn or over",
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
        const { tookMs } = await timed(async () => spawned[Symbol.asyncDispose]());
        assert.ok(tookMs < bench.killGraceMs + bench.patienceMs, `it took ${Math.round(tookMs)} ms`);
        await bench.assertGone(mark);
        await spawned[Symbol.asyncDispose]();
        assert.equal(typeof (await spawned.exited).exitCode, "number");
      }
    },
  },
  {
    id: "environment/spawn-signal",
    requirement: "loop-4.1-4",
    title: "A signal that fires ends a spawned program; one that fired before starts nothing",
    async check(bench) {
      bench.needs("processes", "spawn");
      const mark = createMark();
      const stop = new AbortController();
      await using spawned = await openLine(bench, `sleep ${mark} & echo up; sleep ${mark}`, { signal: stop.signal });
      await spawned.stdout.getReader().read();
      stop.abort();
      assert.notEqual((await spawned.exited).exitCode, 0);
      await bench.assertGone(mark);
      const late = await outcomeOf(() => bench.environment.spawn(["touch", "planted"], { signal: stop.signal }));
      assert.ok("error" in late, "a program was started after its signal had fired");
      assert.equal(await bench.environment.exists("planted"), false);
    },
  },
  {
    id: "environment/spawn-refused",
    requirement: "loop-4.1-3",
    title: "A program that is not there, and a folder outside, are refused when it is started",
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
    title: "A spawned program gets its arguments, its folder and its variables as a command does",
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
    title: "A command line is spawned in the shell",
    async check(bench) {
      bench.needs("spawn", "shell");
      const { environment } = bench;
      applies(environment.spawnShell, "command lines are not spawned here");
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
    title: "Writing to a program that is over fails or does nothing, and never hangs",
    async check(bench) {
      await using spawned = await openLine(bench, "exec <&-; exit 0");
      await spawned.exited;
      const writer = spawned.stdin.getWriter();
      writer.closed.catch(() => {});
      const { tookMs } = await timed(() => outcomeOf(() => writer.write(new Uint8Array(500_000))));
      assert.ok(tookMs < bench.patienceMs, `it took ${Math.round(tookMs)} ms`);
    },
  },
  {
    id: "environment/spawn-close-of-the-dead",
    requirement: "loop-4.1-3",
    title: "Closing the input of a program that is over succeeds, also when all of its output was read",
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
    title: "Whoever reads no more ends the output, and a program that goes on printing ends by it",
    async check(bench) {
      bench.needs("processes");
      await using spawned = await openLine(bench, "yes 'a line'; echo never");
      const reader = spawned.stdout.getReader();
      await reader.read();
      await reader.cancel();
      const ended = await Promise.race([spawned.exited.then(() => true), pause(bench.patienceMs).then(() => false)]);
      assert.ok(ended, "it goes on printing");
    },
  },
  {
    id: "environment/spawn-many",
    requirement: "loop-4.1-3",
    title: "Ten spawned programs at once each have streams of their own",
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
