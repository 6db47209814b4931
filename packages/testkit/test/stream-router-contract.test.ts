import { EngineError } from "@switchyard/contracts";
import { type StreamRouterFactory, streamRouterContract } from "../src/index.ts";
import { proveContract } from "./prove-contract.ts";
import { simpleRouter } from "./right/simple-router.ts";
import { wrongRouters } from "./wrong/wrong-routers.ts";

const right: StreamRouterFactory = Object.assign((options = {}) => simpleRouter(options), {
  withoutBus: () => {
    throw new EngineError("config.invalid", { field: "bus", problem: "there is none" });
  },
});

proveContract(streamRouterContract, { right: [right], wrong: wrongRouters });
