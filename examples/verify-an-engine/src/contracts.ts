// What this package proves: `switchyard verify ./dist/contracts.js` runs it, and so does the test beside it.
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
