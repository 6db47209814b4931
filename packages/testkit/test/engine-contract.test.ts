import { describe } from "vitest";
import { engineContract } from "../src/index.ts";
import { proveContract } from "./prove-contract.ts";
import { countingSubject, modestEngine } from "./right/counting-engine.ts";
import { wrongEngines } from "./wrong/wrong-engines.ts";

describe("the engine contract detects each faulty implementation [engine-enginetest-1]", () => {
  proveContract(engineContract, { right: [() => countingSubject(), () => modestEngine()], wrong: wrongEngines });
});
