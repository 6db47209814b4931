import assert from "node:assert/strict";
import type { DocumentStore } from "@switchyard/contracts";
import type { Eventually } from "../contract/contract-case.ts";

/** An empty document store that is used by one conformance case. */
export interface DocumentStoreSubject {
  /** Store under test. */
  readonly store: DocumentStore;
  /**
   * Opens a second store on the same data, to simulate another process. `undefined` if the data does not outlive the
   * process.
   */
  readonly reopen?: (() => Eventually<DocumentStore>) | undefined;
  /** Releases all resources. */
  readonly dispose?: (() => void | Promise<void>) | undefined;
}

/**
 * Creates an empty document store. Returns the store, or an object with the store and optional operations for the
 * conformance cases.
 */
export type DocumentStoreFactory = () => Eventually<DocumentStore | DocumentStoreSubject>;

/** Prepares the document store under test, which a factory creates. */
export async function openDocumentStoreSubject(factory: DocumentStoreFactory): Promise<DocumentStoreSubject> {
  const created = await factory();
  return "store" in created ? created : { store: created };
}

/** Replaces a document, which must succeed. Resolves with the new version. */
export async function replaced(
  store: DocumentStore,
  { name, text, version }: { readonly name: string; readonly text: string; readonly version: string | undefined },
): Promise<string> {
  const next = await store.replace(name, text, version);
  if (next === undefined) assert.fail(`The document ${name} was not replaced, although its version is the newest.`);
  return next;
}

/** Increments the number in a document. Repeats this as long as another caller has changed the document in between. */
export async function increment(store: DocumentStore, name: string): Promise<void> {
  for (;;) {
    const found = await store.read(name);
    const text = String(Number(found?.text ?? "0") + 1);
    if ((await store.replace(name, text, found?.version)) !== undefined) return;
  }
}
