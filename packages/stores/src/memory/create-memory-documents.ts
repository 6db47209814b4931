import type { DocumentStore, StoredDocument } from "@switchyard/contracts";
import { assertDocumentName } from "../codec/document-name.ts";

/** Creates a store of shared documents in memory. */
export function createMemoryDocuments(): DocumentStore {
  const documents = new Map<string, StoredDocument>();
  return {
    read: async (name) => {
      assertDocumentName(name);
      return documents.get(name);
    },
    replace: async (name, text, version) => {
      assertDocumentName(name);
      const stored = documents.get(name)?.version;
      if (stored !== version) return undefined;
      const next = String(Number(stored ?? "0") + 1);
      documents.set(name, { text, version: next });
      return next;
    },
  };
}
