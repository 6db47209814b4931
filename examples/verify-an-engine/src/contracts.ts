// Implementations to verify, for `switchyard verify ./dist/contracts.js` and for `contracts.test.ts`.
import { type ContractSubjects, defineContracts } from "@switchyard/testkit";
import { linesEngine, patientEngine } from "./lines-engine.ts";
import { createMapStore } from "./map-store.ts";

export const contracts: ContractSubjects = defineContracts({
  engine: () => ({
    engine: linesEngine,
    input: { messages: [{ role: "user", content: "one\ntwo words\nthree more words" }] },
    waiting: { engine: patientEngine },
  }),
  checkpointStore: () => createMapStore(),
});
