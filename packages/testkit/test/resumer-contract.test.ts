import { resumerContract } from "../src/index.ts";
import { proveContract } from "./prove-contract.ts";
import { rightResumer, wrongResumers } from "./wrong/wrong-resumers.ts";

proveContract(resumerContract, { right: [() => rightResumer()], wrong: wrongResumers });
