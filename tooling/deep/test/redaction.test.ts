import { execFileSync } from "node:child_process";
import { createMasker, createRedactor } from "@switchyard/secrets";
import { expect, test } from "vitest";
import { ENCODINGS } from "../src/suites/redaction/encodings.mjs";
import { createRedactionSuite, redactionSuite } from "../src/suites/redaction/redaction.mjs";

const PROGRAMS: readonly (readonly [name: string, argv: readonly [string, ...string[]]])[] = [
  ["base64", ["base64"]],
  ["openssl base64", ["openssl", "base64"]],
  ["xxd -p", ["xxd", "-p"]],
  ["xxd", ["xxd"]],
  ["hexdump", ["hexdump"]],
  ["hexdump -C", ["hexdump", "-C"]],
  ["od", ["od"]],
  ["od -tx1", ["od", "-tx1"]],
  ["od -b", ["od", "-b"]],
  ["od -c", ["od", "-c"]],
  ["fold", ["fold"]],
  ["fold -w 20", ["fold", "-w", "20"]],
];

test("encodings produce the same output as the programs on this machine", () => {
  for (const [name, [command, ...args]] of PROGRAMS) {
    for (const text of [
      "short one\n",
      "Zk3v9Qp2Lm8sXy41 and then Qw7eRt5yUi3oPa1sDf9gHj, which is longer than one line\n",
      `a\\b\tc\n${Array.from({ length: 40 }, (_, index) => index * 7).join("")}\n`,
    ]) {
      let printed: string;
      try {
        printed = execFileSync(command, args, { input: text, encoding: "latin1" });
      } catch {
        continue;
      }
      expect(ENCODINGS[name]?.(text).trimEnd(), name).toBe(printed.trimEnd());
    }
  }
});

test("a short run masks every secret and changes no ordinary words", { timeout: 300_000 }, async () => {
  const { failures, figures } = await redactionSuite.run({
    ...{ seed: 1, first: 0, count: redactionSuite.counts.quick, log: () => undefined },
  });
  expect(failures).toEqual([]);
  expect(figures).toMatchObject({ "secrets that were not masked": 0 });
});

test("the suite fails for a masker that ignores encodings, and for one that masks too much", async () => {
  const plain = (values: readonly string[]) => {
    const mask = (text: string): string =>
      values.reduce((left, value) => left.replaceAll(value, "***REDACTED***"), text);
    return { ...createMasker([]), mask };
  };
  // Pairs and triples of encodings.
  const options = { seed: 1, first: 23, count: 24, log: () => undefined };
  const weak = await createRedactionSuite({ create: plain, redactor: createRedactor() }).run(options);
  expect(weak.figures["secrets that were not masked"]).toBeGreaterThan(10);
  const whole = (values: readonly string[]) => ({ ...createMasker(values), mask: () => "***REDACTED***" });
  const excessive = await createRedactionSuite({ create: whole, redactor: createRedactor() }).run(options);
  expect(excessive.failures.map(({ problem }) => problem).join()).toContain("text beside the canary is masked");
  const greedy = { text: (text: string) => text.replaceAll("the", "***REDACTED***"), data: <T>(data: T): T => data };
  const wrong = await createRedactionSuite({ create: createMasker, redactor: greedy }).run(options);
  expect(wrong.failures.map(({ problem }) => problem).join()).toContain("ordinary words are masked");
});
