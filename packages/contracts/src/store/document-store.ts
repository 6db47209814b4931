/** A document, and the version under which it is stored. */
export interface StoredDocument {
  /** Content of the document. */
  readonly text: string;
  /** Version of the document. Every change of the document has a version that the document never had before. */
  readonly version: string;
}

/**
 * Small documents that several processes change, such as the usage of shared budgets. Contract: safe for concurrent use
 * by any number of processes. A document is replaced completely or not at all. A name consists of 1 to 64 lower-case
 * letters, digits and `-`; both methods reject other names with `config.invalid`.
 */
export interface DocumentStore {
  /** Resolves with the newest version of a document; `undefined` if the document was never stored. */
  read(name: string): Promise<StoredDocument | undefined>;
  /**
   * Replaces a document if `version` is still its newest version. With the version `undefined`, stores a new document
   * if no document of this name exists. Resolves with the new version. Resolves with `undefined` if another process has
   * changed the document in the meantime; the document then stays as that process stored it. Rejects with
   * `run.store_failed` or `broker.*`.
   */
  replace(name: string, text: string, version: string | undefined): Promise<string | undefined>;
}
