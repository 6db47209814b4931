import { describe } from "vitest";
import { busContract } from "../src/index.ts";
import { proveContract } from "./prove-contract.ts";
import { simpleBus } from "./right/simple-bus.ts";
import { wrongBuses } from "./wrong/wrong-buses.ts";

describe("the bus contract detects each faulty implementation", () => {
  proveContract(busContract, { right: [(options) => simpleBus(options)], wrong: wrongBuses });
});
