// @ts-check

/** @import { Client } from "@switchyard/contracts" */

/**
 * Changes the client under test, to prove that a faulty one is detected.
 * @callback Wrap
 * @param {Client} client
 * @returns {Client}
 */

/**
 * A wrong implementation: a function of a module, which other processes can load too.
 * @typedef {{ readonly module: string, readonly name: string }} FaultyClient
 */

/**
 * @param {FaultyClient | undefined} faulty
 * @returns {Promise<Wrap>}
 */
export async function loadWrap(faulty) {
  if (faulty === undefined) return (client) => client;
  const module = await import(faulty.module);
  return module[faulty.name];
}
