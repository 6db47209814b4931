import { type DocumentStore, EngineError, type StoredDocument } from "@switchyard/contracts";
import { assertDocumentName } from "../codec/document-name.ts";
import { openDocument, sealDocument } from "../codec/sealed-text.ts";
import type { SqlRow } from "./libsql.ts";
import type { Database } from "./open-database.ts";

/** Key of shared documents in the table `documents`. No run has this key. */
const SHARED = 0;

/** Creates a store of shared documents in a database. */
export function createSqliteDocuments(database: Database): DocumentStore {
  const parse = (name: string, row: SqlRow | undefined): StoredDocument | undefined =>
    row === undefined ? undefined : parseBody(row[0], `${database.path} (document ${name})`);
  return {
    read: async (name) => {
      assertDocumentName(name);
      return parse(name, await database.read((get) => get("document").get([SHARED, name])));
    },
    replace: async (name, text, version) => {
      assertDocumentName(name);
      return await database.write((run) => {
        const stored = parse(name, run("documentOf").get([SHARED, name]));
        if (stored?.version !== version) return undefined;
        const next = String(Number(version ?? "0") + 1);
        run("putDocument").run([SHARED, name, Buffer.from(sealDocument({ version: next, text }))]);
        return next;
      }, "power");
    },
  };
}

function parseBody(body: unknown, path: string): StoredDocument {
  const malformed = (problem: string): EngineError => new EngineError("store.malformed", { path, problem });
  if (!(body instanceof Uint8Array)) throw malformed("it is not stored as bytes");
  const opened = openDocument(body);
  if (opened.kind === "newer") throw new EngineError("store.newer_format", { path, format: opened.format });
  if (opened.kind === "damaged") throw malformed(opened.problem);
  const value: unknown = opened.value;
  if (typeof value === "object" && value !== null && "version" in value && "text" in value) {
    const { version, text } = value;
    if (typeof version === "string" && typeof text === "string") return { version, text };
  }
  throw malformed("it has no version or no text");
}
