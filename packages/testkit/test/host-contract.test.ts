import { describe } from "vitest";
import { hostContract, recordingHost } from "../src/index.ts";
import { proveContract } from "./prove-contract.ts";
import { keepingHost } from "./right/keeping-host.ts";
import { wrongHosts } from "./wrong/wrong-hosts.ts";

describe("the host contract detects each faulty implementation [engine-enginetest-2]", () => {
  proveContract(hostContract, {
    right: [
      () => keepingHost(),
      () => keepingHost({ hasUser: false }),
      () => keepingHost({ budgetTokens: 1_000 }),
      () => recordingHost(),
    ],
    wrong: wrongHosts,
  });
});
