import assert from "node:assert/strict";
import { applies, type CaseBody } from "../contract/define-contract.ts";
import { assertRefusedAs, type EnvironmentBench, timed } from "./environment-bench.ts";

/** Conformance cases for pipes, sockets and devices, which must not be opened. */
export const specialFileCases: readonly CaseBody<EnvironmentBench>[] = [
  {
    id: "environment/pipes",
    requirement: "loop-4.1-2",
    title: "Rejects a named pipe immediately for reading and writing, and does not block a search",
    async check(bench) {
      const { environment, writeFiles, needs, script } = bench;
      needs("pipes", "links");
      await writeFiles({ "plain.txt": "SECRET of mine\n" });
      await script("mkfifo pipe; ln -s pipe to-pipe");
      await assertRefusedAtOnce(bench, ["pipe", "to-pipe"]);
      assert.deepEqual(
        (await environment.listDirectory(".")).map(({ name, kind }) => `${kind} ${name}`),
        ["other pipe", "file plain.txt", "symlink to-pipe"],
      );
      assert.equal((await environment.grep("SECRET")).matches.length, 1);
      assert.deepEqual(await environment.glob("*"), ["plain.txt"]);
    },
  },
  {
    id: "environment/sockets",
    requirement: "loop-4.1-2",
    title: "Rejects a socket immediately for reading and writing",
    async check(bench) {
      await bench.makeSocket("socket");
      await assertRefusedAtOnce(bench, ["socket"]);
    },
  },
  {
    id: "environment/devices",
    requirement: "loop-4.1-2",
    title: "Rejects a device immediately for reading and writing",
    async check(bench) {
      bench.needs("devices");
      const output = await bench.script("mknod zero c 1 5 2>/dev/null && echo made || :");
      applies(output === "made\n", "the user may not create devices");
      await assertRefusedAtOnce(bench, ["zero"]);
    },
  },
];

async function assertRefusedAtOnce(bench: EnvironmentBench, paths: readonly string[]): Promise<void> {
  const { environment, toleranceMs } = bench;

  for (const path of paths) {
    const operations = [
      () => environment.readFile(path),
      () => environment.readFile(path, { limit: 1 }),
      () => environment.readBytes(path, { length: 1 }),
      () => environment.grep("x", { path }),
      () => environment.writeFile(path, "x"),
    ];
    for (const operation of operations) {
      const { durationMs } = await timed(() =>
        assertRefusedAs(operation, ["not_a_file", "read_only"], `using ${path}`),
      );
      assert.ok(durationMs < toleranceMs, `it took ${Math.round(durationMs)} ms`);
    }
    assert.equal((await environment.stat(path)).kind, "other");
  }
}
