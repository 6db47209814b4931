import type { DocumentStore, RunStore } from "@switchyard/contracts";
import type { DocumentStoreSubject, RunStoreSubject } from "@switchyard/testkit";

/** Returns the shared documents of a run store. */
export function documentsOf({ documents }: RunStore): DocumentStore {
  if (documents === undefined) throw new Error("the store has no documents");
  return documents;
}

/** Returns the shared documents of a run store under test, for the contract of document stores. */
export async function documentSubject(open: () => Promise<RunStoreSubject>): Promise<DocumentStoreSubject> {
  const { store, reopen, dispose } = await open();
  return {
    store: documentsOf(store),
    reopen: reopen && (async () => documentsOf(await reopen())),
    dispose,
  };
}
