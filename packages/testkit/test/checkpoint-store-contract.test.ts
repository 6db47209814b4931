import { describe } from "vitest";
import { checkpointStoreContract } from "../src/index.ts";
import { proveContract } from "./prove-contract.ts";
import { savingSlowly, simpleStoreSubject } from "./right/simple-checkpoint-store.ts";
import { wrongCheckpointStores } from "./wrong/wrong-checkpoint-stores.ts";

describe("the checkpoint store contract detects each faulty implementation [engine-enginetest-3]", () => {
  proveContract(checkpointStoreContract, {
    right: [() => simpleStoreSubject(), () => simpleStoreSubject(savingSlowly)],
    wrong: wrongCheckpointStores,
  });
});
