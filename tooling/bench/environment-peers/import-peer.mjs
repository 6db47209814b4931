// @ts-check

/**
 * One of them; lies here so that it is looked for in the folder they are installed in.
 * @param {string} name
 */
export function importPeer(name) {
  return import(name);
}
