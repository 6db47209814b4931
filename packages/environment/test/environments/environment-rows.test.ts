import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { environmentContract } from "@switchyard/testkit";
import { expect, test } from "vitest";
import { wrongEndings } from "../contract/wrong-endings.ts";
import { wrongSpawning } from "../contract/wrong-spawning.ts";
import {
  CHANGES_SAMPLE,
  CLIENT_SAMPLE,
  COMMANDS_SAMPLE,
  HANDED_ON_SAMPLE,
  OVERLAY_SAMPLE,
  PROGRAMS_SAMPLE,
  REACHED_SAMPLE,
  SANDBOX_SAMPLE,
  SEARCHES_SAMPLE,
  SHELL_SAMPLE,
} from "./case-sample.ts";
import { ENVIRONMENT_ROWS } from "./environment-rows.ts";

function read(file: string): string {
  return readFileSync(join(import.meta.dirname, file), "utf8");
}

test("every environment of the table has a test file, and every test file is in the table", () => {
  const table = /= \[([^\]]+)\]/.exec(read("environment-rows.ts"))?.[1]?.match(/\w+/g) ?? [];
  const suites = readdirSync(import.meta.dirname).filter((file) => file.endsWith(".test.ts"));
  const proved = suites.flatMap((file) => [...read(file).matchAll(/^proveEnvironment\((\w+)\);$/gm)]);
  expect(proved.map(([, row]) => row).sort()).toEqual([...table].sort());
  expect(new Set(ENVIRONMENT_ROWS.map(({ name }) => name)).size).toBe(table.length);
});

const SAMPLES = {
  CHANGES_SAMPLE,
  CLIENT_SAMPLE,
  COMMANDS_SAMPLE,
  HANDED_ON_SAMPLE,
  OVERLAY_SAMPLE,
  PROGRAMS_SAMPLE,
  REACHED_SAMPLE,
  SANDBOX_SAMPLE,
  SEARCHES_SAMPLE,
  SHELL_SAMPLE,
};

const FULL_ROWS = ["local", "memory"];

test("all cases run on this machine, in memory, and in a remote shell", () => {
  const unsampled = ENVIRONMENT_ROWS.filter(({ sample }) => sample === undefined).map(({ name }) => name);
  expect(unsampled).toEqual(FULL_ROWS);
  expect(readFileSync(join(import.meta.dirname, "../remote/dash.test.ts"), "utf8")).not.toContain("SAMPLE");
});

test("every case about files and searches also runs in an overlay and with the programs of busybox", () => {
  const ids = environmentContract.map(({ id }) => id.slice("environment/".length));
  const families = ["read", "bytes", "write", "list", "rename", "remove", "paths", "names", "links", "grep", "glob"];
  const wanted = ids.filter((id) => families.includes(id.split("-", 1).join()));
  expect(wanted.length).toBeGreaterThan(60);
  for (const { includes } of [OVERLAY_SAMPLE, PROGRAMS_SAMPLE]) {
    expect(wanted.filter((id) => !includes(id))).toEqual([]);
  }
});

test.each(Object.entries(SAMPLES))("%s names existing cases, and skips some", (_, { patterns, includes }) => {
  const ids = environmentContract.map(({ id }) => id.slice("environment/".length));
  const chosen = ids.filter(includes);
  expect(chosen.length).toBeLessThan(ids.length);
  const isUsed = (pattern: string) => chosen.some((id) => id === pattern || id.startsWith(`${pattern}-`));
  expect(patterns.filter((pattern) => !isUsed(pattern))).toEqual([]);
});

test("each kind of remote connection runs cases that detect every faulty stream, exit and ending", () => {
  const reached = ENVIRONMENT_ROWS.filter(({ name }) => ["docker", "kubernetes", "ssh"].includes(name));
  expect(reached).toHaveLength(3);
  for (const { name, sample } of reached) {
    const missed = [...wrongSpawning, ...wrongEndings]
      .filter(({ noticedBy }) => !noticedBy.some((id) => sample?.includes(id)))
      .map(({ fault }) => fault);
    expect([name, missed]).toEqual([name, []]);
  }
});

test("Podman, which shares Docker's connection, runs cases of every command family", () => {
  const families = ["exec", "shell", "stdin", "output", "spawn", "timeout", "abort", "dispose", "closed", "variables"];
  const ids = environmentContract.map(({ id }) => id.slice("environment/".length)).filter(CLIENT_SAMPLE.includes);
  expect(families.filter((family) => !ids.some((id) => id.split("-")[0] === family))).toEqual([]);
});
