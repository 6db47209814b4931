// @ts-check

/**
 * A generated suite. Every case is a function of the seed and its number, so that a failed one can be repeated alone.
 * @typedef {object} DeepSuite
 * @property {string} name Name on the command line, in kebab-case.
 * @property {string} title One sentence for the reference page: what is generated and what is checked.
 * @property {{ deep: number, quick: number }} counts Number of cases of `pnpm test:deep` and of `npm test`.
 * @property {(options: DeepOptions) => Promise<DeepResult>} run Runs cases `first` to `first + count - 1`.
 */

/**
 * @typedef {object} DeepOptions
 * @property {number} seed
 * @property {number} first Number of the first case, from 0.
 * @property {number} count Number of cases.
 * @property {(line: string) => void} log Prints progress.
 */

/**
 * @typedef {object} DeepResult
 * @property {number} cases Cases that ran.
 * @property {Readonly<Record<string, number | string>>} figures Counts, by their names on the reference page.
 * @property {readonly DeepFailure[]} failures
 * @property {string} [skipped] Reason why the suite could not run on this machine. `undefined` if it ran.
 */

/**
 * @typedef {object} DeepFailure
 * @property {number} case Number of the case, for `--case`.
 * @property {string} problem
 */

/**
 * The outcome of a complete deep run, as stored for the reference page.
 * @typedef {object} StoredResult
 * @property {string} title The suite's `title`.
 * @property {number} seed
 * @property {number} cases
 * @property {number} seconds Duration.
 * @property {DeepResult["figures"]} figures
 * @property {number} failures
 */

export {};
