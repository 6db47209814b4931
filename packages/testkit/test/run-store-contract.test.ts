import { describe } from "vitest";
import { runStoreContract } from "../src/index.ts";
import { proveContract } from "./prove-contract.ts";
import { simpleRunStoreSubject } from "./right/simple-run-store.ts";
import { wrongRunStores } from "./wrong/wrong-run-stores.ts";

describe("the run store contract detects each faulty implementation", () => {
  proveContract(runStoreContract, { right: [() => simpleRunStoreSubject()], wrong: wrongRunStores });
});
