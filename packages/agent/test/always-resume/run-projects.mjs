// @ts-check
// Runs tests of a file in all Vitest projects of this package, with one agent after the other, and prints each result
// as JSON: run-projects.mjs FILE PATTERN AGENT… One Vitest transforms the sources once for all agents.
import process from "node:process";
import { createVitest } from "vitest/node";

const [file = "", testNamePattern = "", ...agents] = process.argv.slice(2);
/** @type {{ agent: string, project: string, title: string, state: string }[]} */
const tests = [];
let agent = "";
/** @type {import("vitest/node").Reporter} */
const reporter = {
  onTestCaseResult: (test) => {
    tests.push({ agent, project: test.project.name, title: test.name, state: test.result().state });
  },
};
const vitest = await createVitest("test", { watch: false, testNamePattern, reporters: [reporter] });
const files = await vitest.globTestSpecifications([file]);
for (agent of agents) {
  process.env["SWITCHYARD_AGENT_UNDER_TEST"] = agent;
  await vitest.runTestSpecifications(files);
}
await vitest.close();
process.stdout.write(`${JSON.stringify(tests)}\n`);
