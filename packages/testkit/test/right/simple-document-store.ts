import type { DocumentStore, StoredDocument } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import type { DocumentStoreSubject } from "../../src/index.ts";

/** Data of a simple store. It survives the store, as a disk does. */
export type Documents = Map<string, StoredDocument>;

function assertName(name: string): void {
  if (!/^[a-z0-9-]{1,64}$/.test(name)) throw new EngineError("config.invalid", { field: "name", problem: "invalid" });
}

/** A correct store of documents. */
function simpleDocumentStore(documents: Documents = new Map()): DocumentStore {
  return {
    read: async (name) => {
      assertName(name);
      return documents.get(name);
    },
    replace: async (name, text, version) => {
      assertName(name);
      const stored = documents.get(name)?.version;
      if (stored !== version) return undefined;
      const next = String(Number(stored ?? "0") + 1);
      documents.set(name, { text, version: next });
      return next;
    },
  };
}

/** The same store with all operations that a case may use. */
export function simpleDocumentSubject(
  change: (right: DocumentStore, documents: Documents) => DocumentStore = (store) => store,
): DocumentStoreSubject {
  const documents: Documents = new Map();
  const open = (): DocumentStore => change(simpleDocumentStore(documents), documents);
  return { store: open(), reopen: open };
}
