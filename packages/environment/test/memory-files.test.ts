import type { ExecutionEnvironment } from "@switchyard/contracts";
import { createMemoryEnvironment } from "@switchyard/environment/memory";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openWorkspace } from "./open-workspace.ts";

const path = fc.oneof(
  fc
    .array(fc.constantFrom("a", "b", "c", "link", "..", "."), { minLength: 1, maxLength: 3 })
    .map((names) => names.join("/")),
  fc.constantFrom("", ".", "/", "a/", "link/..", "../outside", "a\0", "x".repeat(256), "é", "..a"),
);
const content = fc.constantFrom("", "one\ntwo\nthree", "\ufeffb\r\n", "nul\0", "é".repeat(10));
const link = fc.constantFrom("a", "b/c", "link", "nothing");

type Step = (environment: ExecutionEnvironment) => Promise<unknown>;
const kindOf: (name: string) => Step = (name) => async (environment) => {
  const { kind, size } = await environment.stat(name);
  return kind === "file" ? { kind, size } : { kind };
};
const step: fc.Arbitrary<[string, Step]> = fc.oneof(
  fc
    .tuple(path, content)
    .map(([at, text]): [string, Step] => [`write ${at}`, (environment) => environment.writeFile(at, text)]),
  fc
    .tuple(path, fc.integer({ min: -1, max: 4 }), fc.integer({ min: 0, max: 3 }))
    .map(([at, offset, limit]): [string, Step] => [
      `read ${at} ${offset} ${limit}`,
      (environment) => environment.readFile(at, { offset, limit }),
    ]),
  path.map((at): [string, Step] => [`read ${at}`, (environment) => environment.readFile(at)]),
  fc
    .tuple(path, fc.nat(4), fc.nat(4))
    .map(([at, offset, length]): [string, Step] => [
      `bytes ${at}`,
      async (environment) => [...(await environment.readBytes(at, { offset, length }))],
    ]),
  path.map((at): [string, Step] => [`stat ${at}`, kindOf(at)]),
  path.map((at): [string, Step] => [`exists ${at}`, (environment) => environment.exists(at)]),
  fc
    .tuple(path, fc.integer({ min: 0, max: 3 }))
    .map(([at, depth]): [string, Step] => [
      `list ${at} ${depth}`,
      (environment) => environment.listDirectory(at, depth),
    ]),
  path.map((at): [string, Step] => [`make ${at}`, (environment) => environment.makeDirectory(at)]),
  path.map((at): [string, Step] => [`remove ${at}`, (environment) => environment.remove(at)]),
  fc
    .tuple(path, path)
    .map(([from, to]): [string, Step] => [`rename ${from} ${to}`, (environment) => environment.rename(from, to)]),
  link.map((target): [string, Step] => [
    `link ${target}`,
    async (environment) => (await environment.shell(`[ -e link ] || [ -L link ] || ln -s ${target} link`)).exitCode,
  ]),
);

/** Resolves with the result of a call, or with its error code. */
async function outcomeOf(call: () => Promise<unknown>): Promise<unknown> {
  return call().catch((error: unknown) => (error instanceof Error && "code" in error ? { code: error.code } : error));
}

test("files in memory behave like files on a disk, for any operations [loop-4.3-3]", async () => {
  const check = async (steps: [string, Step][]): Promise<void> => {
    const { environment } = await openWorkspace();
    await using memory = createMemoryEnvironment();
    for (const [name, run] of [
      ...steps,
      ["all", (environment) => environment.listDirectory(".", 9)] satisfies [string, Step],
    ]) {
      const onDisk = await outcomeOf(() => run(environment));
      expect([name, await outcomeOf(() => run(memory))]).toEqual([name, onDisk]);
    }
  };
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 20 }), check), { numRuns: 150 });
});
