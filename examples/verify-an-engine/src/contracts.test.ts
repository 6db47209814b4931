// The same contracts under a test runner, here `node --test`: a test for each promise.
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
