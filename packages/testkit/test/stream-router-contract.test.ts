import { EngineError } from "@switchyard/contracts";
import { describe } from "vitest";
import { type StreamRouterFactory, streamRouterContract } from "../src/index.ts";
import { proveContract } from "./prove-contract.ts";
import { simpleRouter } from "./right/simple-router.ts";
import { wrongRouters } from "./wrong/wrong-routers.ts";

const right: StreamRouterFactory = (options) => ({
  ...simpleRouter(options),
  withoutBus: () => {
    throw new EngineError("config.invalid", { field: "bus", problem: "it is missing" });
  },
});

describe("the stream router contract detects each faulty implementation [engine-enginetest-3]", () => {
  proveContract(streamRouterContract, { right: [right], wrong: wrongRouters });
});
