import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { environmentContract } from "@switchyard/testkit";
import { expect, test } from "vitest";
import { CLIENT_SAMPLE, COMMANDS_SAMPLE, HANDED_ON_SAMPLE, REACHED_SAMPLE, SEARCHES_SAMPLE } from "./case-sample.ts";
import { ENVIRONMENT_ROWS } from "./environment-rows.ts";

function read(file: string): string {
  return readFileSync(join(import.meta.dirname, file), "utf8");
}

test("every environment of the table has a suite of its own, and every suite is in the table", () => {
  const table = /= \[([^\]]+)\]/.exec(read("environment-rows.ts"))?.[1]?.match(/\w+/g) ?? [];
  const suites = readdirSync(import.meta.dirname).filter((file) => file.endsWith(".test.ts"));
  const proved = suites.flatMap((file) => [...read(file).matchAll(/^proveEnvironment\((\w+)\);$/gm)]);
  expect(proved.map(([, row]) => row).sort()).toEqual([...table].sort());
  expect(new Set(ENVIRONMENT_ROWS.map(({ name }) => name)).size).toBe(table.length);
});

test("what a sample leaves out runs whole on this machine, in memory, in a sandbox, and in each shell of remote places", () => {
  const whole = ENVIRONMENT_ROWS.filter(({ sample }) => sample === undefined).map(({ name }) => name);
  expect(whole).toEqual(expect.arrayContaining(["local", "memory", "sandbox", "overlay on local"]));
  for (const shell of ["bash", "busybox", "dash"]) {
    expect(readFileSync(join(import.meta.dirname, "../remote", `${shell}.test.ts`), "utf8")).not.toContain("sample");
  }
});

test.each(Object.entries({ CLIENT_SAMPLE, COMMANDS_SAMPLE, HANDED_ON_SAMPLE, REACHED_SAMPLE, SEARCHES_SAMPLE }))(
  "%s names cases that are there, and leaves some out",
  (_, { words, includes }) => {
    const ids = environmentContract.map(({ id }) => id.slice("environment/".length));
    const chosen = ids.filter(includes);
    expect(chosen.length).toBeLessThan(ids.length);
    const isUsed = (word: string) => chosen.some((id) => id === word || id.startsWith(`${word}-`));
    expect(words.filter((word) => !isUsed(word))).toEqual([]);
  },
);

test("each kind of connection to a remote place runs every case of commands, streams and ends", () => {
  const families = /^(exec|shell|stdin|output|spawn|timeout|abort|dispose|closed|variables)-?/;
  const ids = environmentContract.map(({ id }) => id.slice("environment/".length)).filter((id) => families.test(id));
  const reached = ENVIRONMENT_ROWS.filter(({ name }) => ["docker", "kubernetes", "ssh"].includes(name));
  expect(reached).toHaveLength(3);
  for (const { name, sample } of reached) {
    expect([name, ids.filter((id) => sample?.includes(id) === false)]).toEqual([name, []]);
  }
});

test("Podman, which shares the connection of Docker, runs cases of every family that Docker runs of commands", () => {
  const families = ["exec", "shell", "stdin", "output", "spawn", "timeout", "abort", "dispose", "closed", "variables"];
  const ids = environmentContract.map(({ id }) => id.slice("environment/".length)).filter(CLIENT_SAMPLE.includes);
  expect(families.filter((family) => !ids.some((id) => id.split("-")[0] === family))).toEqual([]);
});
