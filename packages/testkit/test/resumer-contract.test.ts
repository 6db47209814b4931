import { describe } from "vitest";
import { resumerContract } from "../src/index.ts";
import { proveContract } from "./prove-contract.ts";
import { rightResumer, wrongResumers } from "./wrong/wrong-resumers.ts";

describe("the resumer contract detects each faulty implementation [engine-enginetest-3]", () => {
  proveContract(resumerContract, { right: [() => rightResumer()], wrong: wrongResumers });
});
