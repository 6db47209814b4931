import { checkpointStoreContract } from "../src/index.ts";
import { proveContract } from "./prove-contract.ts";
import { simpleStoreSubject } from "./right/simple-checkpoint-store.ts";
import { wrongCheckpointStores } from "./wrong/wrong-checkpoint-stores.ts";

proveContract(checkpointStoreContract, { right: [() => simpleStoreSubject()], wrong: wrongCheckpointStores });
