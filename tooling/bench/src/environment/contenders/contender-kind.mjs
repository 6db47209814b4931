// @ts-check

/**
 * What runs in a process of its own. Only `run` is measured.
 * @typedef {object} ApartContender
 * @property {() => Promise<Record<string, number> | void>} run
 * @property {() => Promise<void>} [close]
 */

/** @typedef {Readonly<Record<string, (setting: any) => Promise<ApartContender>>>} ContenderKind */

export {};
