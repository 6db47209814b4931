// @ts-check

/**
 * Tests to run in a separate process. Paths are relative to the repository.
 * @typedef {object} TestRequest
 * @property {string} root folder of the repository
 * @property {string} folder folder of the package
 * @property {readonly string[]} files test files, in the order to run them in
 * @property {{ file: string, code: string } | undefined} [mutant] what replaces a source file
 * @property {string | undefined} [hitsFolder] where each test file stores which blocks it ran; sources get probes if
 * set
 */

/**
 * Result of a test file. `failures` contains the titles of failed tests, or an error outside of them.
 * @typedef {{ file: string, durationMs: number, passed: number, failures: string[] }} FileResult
 */

export {};
