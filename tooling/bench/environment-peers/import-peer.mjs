// @ts-check

/**
 * Imports a peer. This file is in the folder in which the peers are installed, so that they resolve from here.
 * @param {string} name
 */
export function importPeer(name) {
  return import(name);
}
