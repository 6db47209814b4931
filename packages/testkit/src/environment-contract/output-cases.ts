import assert from "node:assert/strict";
import type { OutputChunk } from "@switchyard/contracts";
import type { CaseBody } from "../contract/define-contract.ts";
import { outcomeOf } from "../contract/expectations.ts";
import { createMark, type EnvironmentBench, timed } from "./environment-bench.ts";

/** Shell command that sleeps briefly, even if `sleep` accepts only whole seconds. */
const BLINK = "{ sleep 0.1 2>/dev/null || sleep 1; }";

function textOf(chunks: readonly OutputChunk[], stream: OutputChunk["stream"]): string {
  return chunks
    .filter((chunk) => chunk.stream === stream)
    .map(({ text }) => text)
    .join("");
}

/** Conformance cases for the output of commands. */
export const outputCases: readonly CaseBody<EnvironmentBench>[] = [
  {
    id: "environment/output-whole",
    requirement: "loop-4.2-5",
    title: "Returns output within the limit unchanged, each stream separately",
    async check({ environment, needs }) {
      needs("shell");
      const { stdout, stderr, droppedBytes } = await environment.shell("seq 1 40000; seq 5 -1 1 >&2");
      assert.equal(stdout, Array.from({ length: 40_000 }, (_, index) => `${index + 1}\n`).join(""));
      assert.deepEqual([stderr, droppedBytes], ["5\n4\n3\n2\n1\n", 0]);
    },
  },
  {
    id: "environment/output-exact",
    requirement: "loop-4.2-5",
    title: "Preserves line endings, tabs, escape sequences, NUL and a missing final line ending",
    async check({ environment, needs }) {
      needs("shell");
      const { stdout } = await environment.shell("printf 'a\\r\\nb\\tc\\033[1m\\n\\n  d\\000e\\n\\357\\273\\277f'");
      assert.equal(stdout, "a\r\nb\tc\u001b[1m\n\n  d\0e\n\uFEFFf");
      assert.equal((await environment.shell("printf '\\n x\\n\\n '")).stdout, "\n x\n\n ");
      assert.equal((await environment.shell("printf '\\r\\n' >&2")).stderr, "\r\n");
    },
  },
  {
    id: "environment/output-bounded",
    requirement: "loop-4.1-3",
    title: "Returns head and tail of long output, and counts the bytes in between",
    async check({ environment, needs }) {
      needs("shell");
      const { stdout, stderr, droppedBytes } = await environment.shell("seq 1 500000; echo kept >&2", {
        maxOutputChars: 10_000,
      });
      assert.ok(stdout.length <= 10_000 && stdout.length > 8_000, `${stdout.length} characters were returned`);
      assert.ok(stdout.startsWith("1\n2\n3\n"), "the head is missing");
      assert.ok(stdout.endsWith("499999\n500000\n"), "the tail is missing");
      assert.equal(stderr, "kept\n");
      // The command prints 3,388,895 bytes in total.
      assert.ok(droppedBytes >= 3_378_895 && droppedBytes < 3_388_895, `${droppedBytes} bytes are said to be dropped`);
    },
  },
  {
    id: "environment/output-bounded-characters",
    requirement: "loop-4.1-3",
    title: "Never truncates within a character",
    async check({ environment, needs, writeFiles }) {
      needs("shell");
      await writeFiles({ "a.txt": "😀é".repeat(20_000) });
      for (const maxOutputChars of [1_000, 1_001, 1_002, 1_003]) {
        const { stdout } = await environment.exec(["cat", "a.txt"], { maxOutputChars });
        assert.ok(stdout.length <= maxOutputChars, `${stdout.length} of ${maxOutputChars}`);
        assert.doesNotMatch(stdout, /\uFFFD|\p{Surrogate}/u);
      }
    },
  },
  {
    id: "environment/output-endless",
    requirement: "loop-4.2-4",
    title: "Limits endless output, which ends at the time limit",
    async check({ environment, needs, toleranceMs, killGraceMs }) {
      needs("shell", "processes");
      const options = { maxOutputChars: 5_000, timeoutMs: 1_000 };
      const { value, durationMs } = await timed(() => environment.exec(["cat", "/dev/zero"], options));
      assert.deepEqual([value.timedOut, value.exitCode], [true, 143]);
      assert.ok(value.stdout.length <= 5_000, `${value.stdout.length} characters were returned`);
      assert.ok(value.droppedBytes > 100_000, `only ${value.droppedBytes} bytes are dropped`);
      assert.ok(durationMs < 1_000 + killGraceMs + toleranceMs, `it took ${Math.round(durationMs)} ms`);
    },
  },
  {
    id: "environment/output-told",
    requirement: "loop-4.1-3",
    title: "Passes all printed output to the listener, with its stream, also beyond the limit",
    async check({ environment, needs }) {
      needs("shell");
      const chunks: OutputChunk[] = [];
      const { stdout } = await environment.shell("seq 1 20000; echo err >&2", {
        maxOutputChars: 1_000,
        onOutput: (chunk) => chunks.push(chunk),
      });
      assert.equal(textOf(chunks, "stdout"), Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join(""));
      assert.equal(textOf(chunks, "stderr"), "err\n");
      assert.ok(stdout.length <= 1_000, `${stdout.length} characters were returned`);
    },
  },
  {
    id: "environment/output-arrives",
    requirement: "loop-4.1-3",
    title: "Passes output to the listener in order while the command runs",
    async check({ environment, needs }) {
      needs("shell", "processes", "writing");
      const received: string[] = [];
      let answering: Promise<void> | undefined;
      const line = `echo one; until [ -e go ]; do ${BLINK}; done; echo two`;
      const { stdout, timedOut } = await environment.shell(line, {
        timeoutMs: 15_000,
        onOutput: ({ text }) => {
          received.push(text);
          answering ??= environment.writeFile("go", "");
        },
      });
      await answering;
      assert.equal(timedOut, false, "the first line was not reported while the command ran");
      assert.deepEqual([received.join(""), stdout], ["one\ntwo\n", "one\ntwo\n"]);
    },
  },
  {
    id: "environment/output-invalid-utf8",
    requirement: "loop-4.2-5",
    title: "Replaces bytes that are not valid UTF-8 with U+FFFD",
    async check({ environment, needs }) {
      needs("shell");
      const chunks: OutputChunk[] = [];
      const { stdout } = await environment.shell("printf 'a\\377b\\303\\n\\360\\237'", {
        onOutput: (chunk) => chunks.push(chunk),
      });
      assert.equal(stdout, "a\uFFFDb\uFFFD\n\uFFFD");
      assert.equal(textOf(chunks, "stdout"), stdout);
    },
  },
  {
    id: "environment/output-split-characters",
    requirement: "loop-4.2-5",
    title: "Passes a character that is printed byte by byte as a whole",
    async check({ environment, needs }) {
      needs("shell", "processes");
      const chunks: OutputChunk[] = [];
      const bytes = ["\\303", "\\251", "\\360", "\\237\\230", "\\200", "x"];
      const line = bytes.map((byte) => `printf '${byte}'; printf '${byte}' >&2`).join(`; ${BLINK}; `);
      const { stdout, stderr } = await environment.shell(line, { onOutput: (chunk) => chunks.push(chunk) });
      assert.deepEqual([stdout, stderr], ["é😀x", "é😀x"]);
      assert.deepEqual([textOf(chunks, "stdout"), textOf(chunks, "stderr")], ["é😀x", "é😀x"]);
    },
  },
  {
    id: "environment/output-listener",
    requirement: "loop-4.1-3",
    title: "Ends the command and rejects with the listener's error if the listener throws",
    async check({ environment, needs, toleranceMs, assertNoProcesses }) {
      needs("shell", "processes");
      const mark = createMark();
      const failure = new Error("the listener failed");
      const onOutput = (): void => {
        throw failure;
      };
      const { value, durationMs } = await timed(() =>
        outcomeOf(() => environment.shell(`echo up; sleep ${mark}`, { onOutput })),
      );
      assert.ok("error" in value && value.error === failure, "the listener's error is lost");
      assert.ok(durationMs < toleranceMs, `it took ${Math.round(durationMs)} ms`);
      await assertNoProcesses(mark);
    },
  },
  {
    id: "environment/output-fast",
    requirement: "loop-4.1-3",
    title: "Loses no output of a short command in sixty runs",
    async check({ environment, needs }) {
      needs("shell");
      for (let round = 0; round < 6; round += 1) {
        const results = await Promise.all(
          Array.from({ length: 10 }, (_, index) =>
            environment.shell(`echo ${index}; echo ${index} >&2; exit ${index}`),
          ),
        );
        assert.deepEqual(
          results.map(({ stdout, stderr, exitCode }) => [stdout, stderr, exitCode]),
          results.map((_, index) => [`${index}\n`, `${index}\n`, index]),
        );
      }
    },
  },
];
