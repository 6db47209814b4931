// @ts-check

/**
 * A contender in a separate process. Only `run` is measured.
 * @typedef {object} ApartContender
 * @property {() => Promise<Record<string, number> | void>} run
 * @property {() => Promise<void>} [close]
 */

/** @typedef {Readonly<Record<string, (setting: any) => Promise<ApartContender>>>} ContenderKind */

export {};
