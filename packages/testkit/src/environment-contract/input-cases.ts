import assert from "node:assert/strict";
import type { CaseBody } from "../contract/define-contract.ts";
import { type EnvironmentBench, toBytes } from "./environment-bench.ts";

/** Conformance cases for standard input of commands. */
export const inputCases: readonly CaseBody<EnvironmentBench>[] = [
  {
    id: "environment/stdin",
    requirement: "loop-4.1-3",
    title: "Passes the given text or bytes to a command, followed by the end of input",
    async check({ environment, needs }) {
      needs("shell");
      const text = "a line\nünï 😀 without an end";
      assert.equal((await environment.exec(["cat"], { stdin: text })).stdout, text);
      assert.equal((await environment.exec(["cat"], { stdin: toBytes(text) })).stdout, text);
      assert.equal((await environment.exec(["cat"], { stdin: "" })).stdout, "");
    },
  },
  {
    id: "environment/stdin-once",
    requirement: "loop-4.1-3",
    title: "Does not repeat input for a later program of a command line that an earlier one has read",
    async check({ environment, needs }) {
      needs("shell", "processes");
      assert.equal((await environment.shell("cat; echo -; cat", { stdin: "x" })).stdout, "x-\n");
    },
  },
  {
    id: "environment/stdin-none",
    requirement: "loop-4.1-3",
    title: "Ends the input of a command immediately if none is given",
    async check({ environment, needs }) {
      needs("shell");
      const { stdout, exitCode } = await environment.exec(["cat"]);
      assert.deepEqual([stdout, exitCode], ["", 0]);
      assert.equal((await environment.shell("read -r line || echo end")).stdout, "end\n");
    },
  },
  {
    id: "environment/stdin-every-byte",
    requirement: "loop-4.1-3",
    title: "Passes every byte of the input unchanged",
    async check({ environment, needs }) {
      needs("shell", "writing");
      const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 13 + (index >> 8)) & 255);
      const { exitCode } = await environment.shell("cat > copy.bin", { stdin: bytes });
      assert.equal(exitCode, 0);
      assert.deepEqual(Buffer.from(await environment.readBytes("copy.bin")), Buffer.from(bytes));
    },
  },
  {
    id: "environment/stdin-large",
    requirement: "loop-4.1-3",
    title: "Passes several million bytes of input completely, and does not block if nothing reads them",
    async check({ environment, needs }) {
      needs("shell");
      const large = "0123456789".repeat(300_000);
      assert.equal((await environment.exec(["wc", "-c"], { stdin: large })).stdout.trim(), "3000000");
      // The check is repeated, because the fault occurs only sometimes: a command that ignores its input loses output.
      for (const word of ["one", "two", "three", "four"]) {
        const result = await environment.exec(["echo", word], { stdin: large, timeoutMs: 20_000 });
        assert.deepEqual([result.stdout, result.exitCode, result.timedOut], [`${word}\n`, 0, false]);
      }
      assert.equal((await environment.exec(["head", "-c", "5"], { stdin: large })).stdout, "01234");
    },
  },
];
