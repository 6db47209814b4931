import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type DocumentStore, EngineError, type StoredDocument } from "@switchyard/contracts";
import { assertDocumentName } from "../../codec/document-name.ts";
import { openDocument } from "../../codec/sealed-text.ts";
import { assertSafeFolder } from "../disk/assert-safe-folder.ts";
import { systemCodeOf, toStoreFailure } from "../disk/store-failure.ts";
import type { StoreContext } from "../run/store-context.ts";
import { createFolder, NO_VERSION, newestOf, replaceVersion } from "./document-folder.ts";

/** Folder of shared documents in the state folder, with one folder per document. */
const DOCUMENTS_FOLDER = "documents";

/** Creates a store of shared documents in a state folder. */
export function createFileDocuments(context: StoreContext): DocumentStore {
  const root = join(context.directory, DOCUMENTS_FOLDER);
  const folderOf = async (name: string): Promise<string> => {
    assertDocumentName(name);
    await assertSafeFolder({ directory: context.directory, content: root });
    return join(root, name);
  };
  return {
    read: async (name) => {
      const folder = await folderOf(name);
      try {
        return await readNewest(folder);
      } catch (error) {
        throw toStoreFailure(error, folder);
      }
    },
    replace: async (name, text, version) => {
      const folder = await folderOf(name);
      try {
        if (version === undefined) await createFolder(context.files, root, folder);
        return await replaceVersion(context.files, folder, { text, version: version ?? NO_VERSION });
      } catch (error) {
        throw toStoreFailure(error, folder);
      }
    },
  };
}

/** Resolves with the newest version of a document. Reads again if another process replaces it meanwhile. */
async function readNewest(folder: string): Promise<StoredDocument | undefined> {
  for (;;) {
    const version = await newestOf(folder);
    if (version === undefined || version === NO_VERSION) return undefined;
    const path = join(folder, `content-${version}`);
    const bytes = await readFile(path).catch((error: unknown) => {
      if (systemCodeOf(error) === "ENOENT") return undefined;
      throw error;
    });
    if (bytes !== undefined) return { text: textOf(bytes, path), version };
    if ((await newestOf(folder)) === version) {
      throw new EngineError("store.malformed", { path, problem: "the file is missing" });
    }
  }
}

function textOf(bytes: Uint8Array, path: string): string {
  const opened = openDocument(bytes);
  if (opened.kind === "newer") throw new EngineError("store.newer_format", { path, format: opened.format });
  const value: unknown = opened.kind === "whole" ? opened.value : undefined;
  if (typeof value === "object" && value !== null && "text" in value && typeof value.text === "string") {
    return value.text;
  }
  const problem = opened.kind === "damaged" ? opened.problem : "it has no text";
  throw new EngineError("store.malformed", { path, problem });
}
