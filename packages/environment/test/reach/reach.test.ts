import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openLocalEnvironment, openSandboxedEnvironment } from "@switchyard/environment/local";
import { createMemoryEnvironment } from "@switchyard/environment/memory";
import { expect, test } from "vitest";
import { UNREADY } from "../sandbox/open-sandbox.ts";
import { openMachine } from "../ssh/open-machine.ts";
import {
  createSurroundings,
  documentedReach,
  KEY_VARIABLES,
  measureReach,
  REACH_TABLE,
  type Surroundings,
} from "./measure-reach.ts";

const variables = ({ home }: Surroundings) => ({ PATH: process.env["PATH"], HOME: home, ...KEY_VARIABLES });

test("commands in local reach what the page says", async ({ skip }) => {
  skip(process.platform !== "linux", "tests Linux");
  const surroundings = await createSurroundings();
  await using environment = await openLocalEnvironment({ root: surroundings.root, env: variables(surroundings) });
  expect(await measureReach(environment, surroundings)).toEqual(documentedReach("local"));
});

test("commands in sandbox reach what the page says", async ({ skip }) => {
  skip(UNREADY !== undefined, UNREADY);
  const surroundings = await createSurroundings();
  await using environment = await openSandboxedEnvironment({ root: surroundings.root, env: variables(surroundings) });
  expect(await measureReach(environment, surroundings)).toEqual(documentedReach("sandbox"));
});

test("commands in memory reach what the page says", async () => {
  const surroundings = await createSurroundings();
  await using environment = createMemoryEnvironment();
  expect(await measureReach(environment, surroundings)).toEqual(documentedReach("memory"));
});

test("commands in ssh reach what the page says", async ({ skip }) => {
  skip(process.platform !== "linux", "tests Linux");
  const machine = await openMachine(skip);
  const surroundings = await createSurroundings();
  const { hostEnv } = machine.options;
  const environment = await machine.open({
    workingDirectory: surroundings.root,
    hostEnv: { ...hostEnv, ...KEY_VARIABLES },
  });
  expect(await measureReach(environment, surroundings)).toEqual(documentedReach("ssh"));
});

test("each environment whose answers are called measured has a test", () => {
  const files = ["reach.test.ts", "../docker/docker.test.ts"];
  const tests = files.map((file) => readFileSync(join(import.meta.dirname, file), "utf8")).join("\n");
  const measured = [...tests.matchAll(/toEqual\(documentedReach\("(\w+)"\)\)/g)].map(([, name]) => name);
  const claimed = REACH_TABLE.environments.filter(({ isMeasured }) => isMeasured).map(({ id }) => id);
  expect(measured.sort()).toEqual(claimed.sort());
});
