// @ts-check
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runTests } from "../vitest/run-tests.mjs";

/** @import { WorkspacePackage } from "../workspace-packages.mjs" */

/**
 * Code that a test file executes. `hits` contains the numbers of the blocks per source file, and the digest of that
 * file.
 * @typedef {object} TestCoverage
 * @property {string} digest of the test file and the helpers of its package
 * @property {number} durationMs
 * @property {string[]} failures of the unchanged code; such a file proves nothing
 * @property {Record<string, { digest: string, blocks: number[] }>} hits
 */

/** Coverage by test file. @typedef {Record<string, TestCoverage>} Coverage */

/** Generous: a package's whole suite on a busy machine. */
const TIMEOUT_MS = 3_600_000;

/** Test files that are run before results are stored. */
const CHUNK = 24;

/**
 * Returns what test files of a package run. Results are stored, and collected again only for test files of which
 * something changed.
 * @param {{ root: string, workspacePackage: WorkspacePackage, tests: readonly string[] }} request
 * @param {(line: string) => void} log
 * @returns {Promise<Coverage>}
 */
export async function collectCoverage({ root, workspacePackage, tests }, log) {
  const { folder } = workspacePackage;
  const stored = join(root, "node_modules/.cache/mutants", `${folder.replaceAll("/", "-")}.json`);
  /** @type {Coverage} */
  const known = existsSync(stored) ? JSON.parse(readFileSync(stored, "utf8")) : {};
  const digests = digestsOf(root, workspacePackage);
  const fresh = Object.fromEntries(
    Object.entries(known).filter(([test, entry]) => entry.digest === digests.get(test) && isFresh(root, entry)),
  );
  const missing = tests.filter((test) => fresh[test] === undefined);
  for (let first = 0; first < missing.length; first += CHUNK) {
    const files = missing.slice(first, first + CHUNK);
    log(`coverage of ${folder}: ${first} of ${missing.length} test files`);
    Object.assign(fresh, await collect({ root, folder, files }, digests));
    mkdirSync(join(root, "node_modules/.cache/mutants"), { recursive: true });
    writeFileSync(stored, JSON.stringify(fresh));
  }
  return Object.fromEntries(tests.flatMap((test) => (fresh[test] === undefined ? [] : [[test, fresh[test]]])));
}

/**
 * @param {{ root: string, folder: string, files: string[] }} request
 * @param {ReadonlyMap<string, string>} digests
 * @returns {Promise<Coverage>}
 */
async function collect(request, digests) {
  const hitsFolder = mkdtempSync(join(tmpdir(), "mut-hits-"));
  try {
    const outcome = await runTests({ ...request, hitsFolder }, TIMEOUT_MS);
    if (outcome.kind === "hung") throw new Error(`The tests of ${request.folder} did not end.`);
    if (outcome.kind === "broken") throw new Error(`The tests of ${request.folder} did not run. ${outcome.problem}`);
    return Object.fromEntries(
      request.files.map((file) => {
        const result = outcome.results.find((candidate) => candidate.file === file);
        const { durationMs, failures } = result ?? { durationMs: 0, failures: ["The package does not run this file."] };
        const hits = readHits(request.root, join(hitsFolder, `${file.replaceAll("/", "!")}.json`));
        return [file, { digest: digests.get(file) ?? "", durationMs, failures, hits }];
      }),
    );
  } finally {
    rmSync(hitsFolder, { recursive: true, force: true });
  }
}

/**
 * @param {string} root
 * @param {string} path
 * @returns {TestCoverage["hits"]}
 */
function readHits(root, path) {
  if (!existsSync(path)) return {};
  /** @type {Record<string, number[]>} */
  const hits = JSON.parse(readFileSync(path, "utf8"));
  return Object.fromEntries(
    Object.entries(hits).map(([file, blocks]) => [file, { digest: digestOfFiles(root, [file]), blocks }]),
  );
}

/**
 * @param {string} root
 * @param {TestCoverage} entry
 * @returns {boolean}
 */
function isFresh(root, { hits }) {
  return Object.entries(hits).every(
    ([file, { digest }]) => existsSync(join(root, file)) && digestOfFiles(root, [file]) === digest,
  );
}

/**
 * @param {string} root
 * @param {WorkspacePackage} workspacePackage
 * @returns {Map<string, string>}
 */
function digestsOf(root, { tests, helpers }) {
  const common = digestOfFiles(root, helpers);
  return new Map(tests.map((test) => [test, `${common}${digestOfFiles(root, [test])}`]));
}

/** @type {Map<string, string>} */
const digests = new Map();

/**
 * @param {string} root
 * @param {readonly string[]} files
 * @returns {string}
 */
function digestOfFiles(root, files) {
  const key = [root, ...files].join("\0");
  const known = digests.get(key);
  if (known !== undefined) return known;
  const hash = createHash("sha256");
  for (const file of files) hash.update(readFileSync(join(root, file)));
  const digest = hash.digest("hex").slice(0, 12);
  digests.set(key, digest);
  return digest;
}
