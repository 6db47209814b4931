// Runs the conformance kits with a test runner, here `node --test`: one test for each test case.
import { test } from "node:test";
import { checkpointStoreContract, engineContract } from "@switchyard/testkit";
import { contracts } from "./contracts.ts";

const { engine, checkpointStore } = contracts;

if (engine !== undefined) {
  for (const one of engineContract) test(one.title, (t) => one.run(engine, { onSkip: (why) => t.skip(why) }));
}

if (checkpointStore !== undefined) {
  for (const one of checkpointStoreContract) {
    test(one.title, (t) => one.run(checkpointStore, { onSkip: (why) => t.skip(why) }));
  }
}
