import assert from "node:assert/strict";
import type { CaseBody } from "../contract/define-contract.ts";
import type { EnvironmentBench } from "./environment-bench.ts";

/** Conformance cases for concurrent calls. */
export const concurrencyCases: readonly CaseBody<EnvironmentBench>[] = [
  {
    id: "environment/commands-at-once",
    requirement: "loop-4.1-3",
    title: "Returns each command its own output when fifty run concurrently",
    async check({ environment, needs }) {
      needs("shell");
      const results = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          environment.shell(`echo "out ${index}"; cat; echo "err ${index}" >&2; exit ${index}`, {
            stdin: `in ${index}\n`,
          }),
        ),
      );
      assert.deepEqual(
        results.map(({ stdout, stderr, exitCode }) => [stdout, stderr, exitCode]),
        results.map((_, index) => [`out ${index}\nin ${index}\n`, `err ${index}\n`, index]),
      );
    },
  },
  {
    id: "environment/calls-at-once",
    requirement: ["loop-4.1-2", "loop-4.1-3"],
    title: "Does not mix a hundred concurrent calls of all kinds",
    async check({ environment, writeFiles }) {
      const names = Array.from({ length: 20 }, (_, index) => `at-once/${index}.txt`);
      await writeFiles(Object.fromEntries(names.map((name, index) => [name, `${"x".repeat(index * 500)}\n${name}\n`])));
      const calls = names.map(async (name, index) => {
        const [text, bytes, { size }, exists, { matches }] = await Promise.all([
          environment.readFile(name, { offset: 2 }),
          environment.readBytes(name, { offset: index * 500 + 1 }),
          environment.stat(name),
          environment.exists(`${name}.no`),
          environment.grep(`^${name}$`, { path: name }),
        ]);
        assert.deepEqual([text, new TextDecoder().decode(bytes)], [`${name}\n`, `${name}\n`]);
        assert.deepEqual([size, exists], [index * 500 + 1 + name.length + 1, false]);
        assert.deepEqual(
          matches.map(({ path, text: line }) => [path, line]),
          [[name, name]],
        );
      });
      await Promise.all(calls);
    },
  },
  {
    id: "environment/slow-command",
    requirement: "loop-4.1-3",
    title: "Does not block file operations or other commands during a slow command",
    async check({ environment, writeFiles, needs }) {
      needs("shell", "processes");
      await writeFiles({ "a.txt": "x" });
      const order: string[] = [];
      const slow = environment.shell("sleep 2").then(() => order.push("slow"));
      await environment.readFile("a.txt").then(() => order.push("file"));
      await environment.shell("true").then(() => order.push("quick"));
      await slow;
      assert.deepEqual(order, ["file", "quick", "slow"]);
    },
  },
];
