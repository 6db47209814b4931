import { engineContract } from "../src/index.ts";
import { proveContract } from "./prove-contract.ts";
import { countingSubject, modestEngine } from "./right/counting-engine.ts";
import { wrongEngines } from "./wrong/wrong-engines.ts";

proveContract(engineContract, { right: [() => countingSubject(), () => modestEngine()], wrong: wrongEngines });
