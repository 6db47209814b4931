// @ts-check
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { openWorkspace } from "./open-workspace.mjs";

/** @import { ApartContender, ContenderKind } from "./contender-kind.mjs" */
/** @typedef {{ root: string, line: number, count: number }} ReadSetting */

const CHUNK_BYTES = 2 ** 20;

/** @param {ReadSetting} setting @returns {Promise<ApartContender>} */
async function ours({ root, line, count }) {
  const environment = await openWorkspace(root);
  return {
    run: async () => ({ chars: (await environment.readFile("log.txt", { offset: line, limit: count })).length }),
    close: async () => environment[Symbol.asyncDispose](),
  };
}

/** Reads a window of a file that was read before. @param {ReadSetting} setting @returns {Promise<ApartContender>} */
async function later(setting) {
  const { root, line, count } = setting;
  const environment = await openWorkspace(root);
  await environment.readFile("log.txt", { offset: line, limit: count });
  return {
    run: async () => ({ chars: (await environment.readFile("log.txt", { offset: line - 5000, limit: count })).length }),
    close: async () => environment[Symbol.asyncDispose](),
  };
}

/**
 * Hand-written scan for line ends in chunks of 1 MB.
 * @param {ReadSetting} setting @returns {Promise<ApartContender>}
 */
async function scan({ root, line, count }) {
  return {
    async run() {
      const file = await open(join(root, "log.txt"));
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      let [seen, position, text] = [1, 0, ""];
      for (;;) {
        const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, position);
        const bytes = chunk.subarray(0, bytesRead);
        let from = seen >= line ? 0 : -1;
        let until = -1;
        for (let at = bytes.indexOf(10); at >= 0 && until < 0; at = bytes.indexOf(10, at + 1)) {
          seen += 1;
          if (seen === line) from = at + 1;
          if (seen === line + count) until = at + 1;
        }
        if (from >= 0) text += bytes.toString("utf8", from, until < 0 ? bytesRead : until);
        if (until >= 0 || bytesRead === 0) break;
        position += bytesRead;
      }
      await file.close();
      return { chars: text.length };
    },
  };
}

/** @param {ReadSetting} setting @returns {Promise<ApartContender>} */
async function readline({ root, line, count }) {
  return {
    async run() {
      const input = createReadStream(join(root, "log.txt"));
      let [seen, chars] = [0, 0];
      for await (const text of createInterface({ input })) {
        seen += 1;
        if (seen >= line) chars += text.length + 1;
        if (seen === line + count - 1) break;
      }
      input.destroy();
      return { chars };
    },
  };
}

/** @type {ContenderKind} */
export const READS = { ours, later, scan, readline };
