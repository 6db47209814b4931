import { describe } from "vitest";
import { documentStoreContract } from "../src/index.ts";
import { proveContract } from "./prove-contract.ts";
import { simpleDocumentSubject } from "./right/simple-document-store.ts";
import { wrongDocumentStores } from "./wrong/wrong-document-stores.ts";

describe("the document store contract detects each faulty implementation", () => {
  proveContract(documentStoreContract, { right: [() => simpleDocumentSubject()], wrong: wrongDocumentStores });
});
