import type { DocumentStore, StoredDocument } from "@switchyard/contracts";
import type { DocumentStoreFactory } from "../../src/index.ts";
import { type Documents, simpleDocumentSubject } from "../right/simple-document-store.ts";
import { altered, type Wrong } from "./wrong.ts";

function but(changes: (right: DocumentStore, documents: Documents) => Partial<DocumentStore>): DocumentStoreFactory {
  return () => simpleDocumentSubject((store, documents) => altered(store, changes(store, documents)));
}

function storing(change: (text: string) => string): DocumentStoreFactory {
  return but((store) => ({ replace: (name, text, version) => store.replace(name, change(text), version) }));
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function put(documents: Documents, name: string, text: string): string {
  const version = String(Number(documents.get(name)?.version ?? "0") + 1);
  documents.set(name, { text, version });
  return version;
}

/** Document stores with one fault each. */
export const wrongDocumentStores: readonly Wrong<DocumentStoreFactory>[] = [
  {
    fault: "a missing document is an empty one",
    noticedBy: ["document-store/missing"],
    factory: but((store) => ({ read: async (name) => (await store.read(name)) ?? { text: "", version: "0" } })),
  },
  {
    fault: "a missing document is created whatever the version is",
    noticedBy: ["document-store/missing"],
    factory: but((store, documents) => ({
      replace: (name, text, version) => store.replace(name, text, documents.has(name) ? version : undefined),
    })),
  },
  {
    fault: "an existing document is created again",
    noticedBy: ["document-store/created-once", "document-store/one-winner"],
    factory: but((store, documents) => ({
      replace: async (name, text, version) =>
        version === undefined ? put(documents, name, text) : store.replace(name, text, version),
    })),
  },
  {
    fault: "the version is not checked",
    noticedBy: ["document-store/stale-version", "document-store/reopened"],
    factory: but((store, documents) => ({
      replace: async (name, text, version) =>
        version === undefined || !documents.has(name) ? store.replace(name, text, version) : put(documents, name, text),
    })),
  },
  {
    fault: "the version is a function of the text",
    noticedBy: ["document-store/stale-version"],
    factory: but((_, documents) => ({
      replace: async (name, text, version) => {
        if (documents.get(name)?.version !== version) return undefined;
        documents.set(name, { text, version: text });
        return text;
      },
    })),
  },
  {
    fault: "the first text stays",
    noticedBy: ["document-store/replaced"],
    factory: but((store, documents) => ({
      replace: (name, text, version) => store.replace(name, documents.get(name)?.text ?? text, version),
    })),
  },
  {
    fault: "the end of a longer text stays",
    noticedBy: ["document-store/replaced"],
    factory: but((store, documents) => ({
      replace: (name, text, version) =>
        store.replace(name, text + (documents.get(name)?.text ?? "").slice(text.length), version),
    })),
  },
  {
    fault: "all names that begin with the same letter are one document",
    noticedBy: ["document-store/names-apart"],
    factory: but((store) => ({
      read: (name) => store.read(name.slice(0, 1)),
      replace: (name, text, version) => store.replace(name.slice(0, 1), text, version),
    })),
  },
  {
    fault: "invalid names are accepted",
    noticedBy: ["document-store/names-apart"],
    factory: but((store) => ({
      read: (name) => store.read(`n-${Buffer.from(name).toString("hex").slice(0, 60)}`),
      replace: (name, text, version) =>
        store.replace(`n-${Buffer.from(name).toString("hex").slice(0, 60)}`, text, version),
    })),
  },
  {
    fault: "a text ends at its first NUL",
    noticedBy: ["document-store/odd-texts"],
    factory: storing((text) => text.split("\u0000", 1)[0] ?? ""),
  },
  {
    fault: "line endings are changed",
    noticedBy: ["document-store/odd-texts"],
    factory: storing((text) => text.replaceAll("\r\n", "\n")),
  },
  {
    fault: "a long text is cut off",
    noticedBy: ["document-store/odd-texts"],
    factory: storing((text) => text.slice(0, 65_536)),
  },
  {
    fault: "the version is checked some time before the text is stored",
    noticedBy: ["document-store/one-winner", "document-store/shared"],
    factory: but((_, documents) => ({
      replace: async (name, text, version) => {
        if (documents.get(name)?.version !== version) return undefined;
        await turn();
        return put(documents, name, text);
      },
    })),
  },
  {
    fault: "each process has its own documents",
    noticedBy: ["document-store/reopened", "document-store/shared"],
    factory: but(() => {
      const own = new Map<string, StoredDocument>();
      return {
        read: async (name) => own.get(name),
        replace: async (name, text, version) => (own.get(name)?.version === version ? put(own, name, text) : undefined),
      };
    }),
  },
];
