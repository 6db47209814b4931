import assert from "node:assert/strict";
import type { ContractCase } from "../contract/contract-case.ts";
import { applies, type CaseBody, defineContract } from "../contract/define-contract.ts";
import { assertRefused } from "../contract/expectations.ts";
import {
  type DocumentStoreFactory,
  type DocumentStoreSubject,
  increment,
  openDocumentStoreSubject,
  replaced,
} from "./document-store-subject.ts";

const cases: readonly CaseBody<DocumentStoreSubject>[] = [
  {
    id: "document-store/missing",
    requirement: "D6",
    title: "Reads no document that was never stored, and replaces none",
    async check({ store }) {
      assert.equal(await store.read("a"), undefined);
      assert.equal(await store.replace("a", "text", "1"), undefined);
      assert.equal(await store.read("a"), undefined);
    },
  },
  {
    id: "document-store/created-once",
    requirement: "D6",
    title: "Creates a document only if it does not exist",
    async check({ store }) {
      const version = await replaced(store, { name: "a", text: "first", version: undefined });
      assert.equal(await store.replace("a", "second", undefined), undefined);
      assert.deepEqual(await store.read("a"), { text: "first", version });
    },
  },
  {
    id: "document-store/replaced",
    requirement: "D3",
    title: "Replaces the newest version of a document completely",
    async check({ store }) {
      let version: string | undefined;
      for (const text of ["a long first text", "short", "a longer third text", ""]) {
        version = await replaced(store, { name: "a", text, version });
        assert.deepEqual(await store.read("a"), { text, version });
      }
    },
  },
  {
    id: "document-store/stale-version",
    requirement: "D6",
    title: "Refuses every older version, even if the document has the same text again",
    async check({ store }) {
      const first = await replaced(store, { name: "a", text: "one", version: undefined });
      const second = await replaced(store, { name: "a", text: "two", version: first });
      assert.equal(await store.replace("a", "late", first), undefined);
      const third = await replaced(store, { name: "a", text: "one", version: second });
      for (const version of [first, second]) assert.equal(await store.replace("a", "late", version), undefined);
      assert.deepEqual(await store.read("a"), { text: "one", version: third });
    },
  },
  {
    id: "document-store/names-apart",
    requirement: "D6",
    title: "Separates documents with different names, and rejects invalid names with class validation",
    async check({ store }) {
      const names = ["a", "a-b", "a-b-c", "0", "x".repeat(64)];
      for (const name of names) await replaced(store, { name, text: `of ${name}`, version: undefined });
      for (const name of names) assert.equal((await store.read(name))?.text, `of ${name}`);
      for (const name of ["", "A", "a/b", "../a", "a.b", "x".repeat(65)]) {
        await assertRefused(() => store.read(name), "validation", `reading the document ${name}`);
        await assertRefused(() => store.replace(name, "", undefined), "validation", `storing the document ${name}`);
      }
    },
  },
  {
    id: "document-store/odd-texts",
    requirement: "D3",
    title: "Preserves any text, including control characters and 100,000 characters",
    async check({ store }) {
      let version: string | undefined;
      for (const text of ["\u0000a\u0000", "ä\ud83d\ude00\u2028", '{"a": "\\n"}\r\n', "x".repeat(100_000)]) {
        version = await replaced(store, { name: "a", text, version });
        assert.equal((await store.read("a"))?.text, text);
      }
    },
  },
  {
    id: "document-store/one-winner",
    requirement: "D6",
    title: "Lets exactly one of several concurrent replacements of a version succeed",
    async check({ store }) {
      let version: string | undefined;
      for (let round = 0; round < 5; round += 1) {
        const known = version;
        const texts = Array.from({ length: 6 }, (_, index) => `${round}-${index}`);
        const versions = await Promise.all(texts.map((text) => store.replace("a", text, known)));
        const winners = texts.filter((_, index) => versions[index] !== undefined);
        assert.equal(winners.length, 1, `${winners.length} of 6 concurrent replacements succeeded`);
        version = versions.find((one) => one !== undefined);
        assert.deepEqual(await store.read("a"), { text: winners[0], version });
      }
    },
  },
  {
    id: "document-store/reopened",
    requirement: ["D2", "D6"],
    title: "Lets another process read and replace a document, and refuses the older version afterwards",
    async check({ store, reopen }) {
      applies(reopen, "the store's data does not outlive the process");
      const first = await replaced(store, { name: "a", text: "one", version: undefined });
      const other = await reopen();
      assert.deepEqual(await other.read("a"), { text: "one", version: first });
      const second = await replaced(other, { name: "a", text: "two", version: first });
      assert.equal(await store.replace("a", "late", first), undefined);
      assert.deepEqual(await store.read("a"), { text: "two", version: second });
    },
  },
  {
    id: "document-store/shared",
    requirement: "D6",
    title: "Counts every change of two processes that change a document concurrently",
    async check({ store, reopen }) {
      applies(reopen, "the store's data does not outlive the process");
      const other = await reopen();
      const count = async (one: typeof store): Promise<void> => {
        for (let step = 0; step < 10; step += 1) await increment(one, "count");
      };
      await Promise.all([count(store), count(other)]);
      assert.equal((await store.read("count"))?.text, "20");
    },
  },
];

/**
 * Conformance cases for stores of shared documents. A document is replaced only if no other process has replaced it
 * since it was read, so that concurrent changes are never lost.
 */
export const documentStoreContract: readonly ContractCase<DocumentStoreFactory>[] = defineContract(
  openDocumentStoreSubject,
  cases,
);
