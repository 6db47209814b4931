// @ts-check
import { spawn } from "node:child_process";
import { openWorkspace } from "./open-workspace.mjs";

/** @import { ApartContender, ContenderKind } from "./contender-kind.mjs" */
/** @typedef {{ root: string, bytes: number }} OutputSetting */

const KEPT_BYTES = 64 * 1024;

/** @param {number} bytes */
const flood = (bytes) => ["head", "-c", String(bytes), "/dev/zero"];

/** @param {(text: { text: string }) => void} [onOutput] @returns {(setting: OutputSetting) => Promise<ApartContender>} */
function ours(onOutput) {
  return async ({ root, bytes }) => {
    const environment = await openWorkspace(root);
    return {
      async run() {
        const { stdout, droppedBytes } = await environment.exec(
          flood(bytes),
          onOutput === undefined ? {} : { onOutput },
        );
        const [begin, end] = stdout.split(/\n\[\.\.\. \d+ bytes dropped \.\.\.\]\n/);
        return { bytes: droppedBytes + (begin?.length ?? 0) + (end?.length ?? 0) };
      },
      close: async () => environment[Symbol.asyncDispose](),
    };
  };
}

/** Naive capture of head and tail of a pipe. @param {OutputSetting} setting @returns {Promise<ApartContender>} */
async function pipe({ bytes }) {
  return {
    run: () =>
      new Promise((done) => {
        const [program = "", ...rest] = flood(bytes);
        const child = spawn(program, rest, { stdio: ["ignore", "pipe", "pipe"] });
        let seen = 0;
        /** @type {Buffer} */
        let head = Buffer.alloc(0);
        /** @type {Buffer} */
        let tail = head;
        child.stdout.on("data", (/** @type {Buffer} */ chunk) => {
          seen += chunk.length;
          if (head.length < KEPT_BYTES) head = Buffer.concat([head, chunk]);
          else tail = chunk.length >= KEPT_BYTES ? chunk : Buffer.concat([tail, chunk]).subarray(-KEPT_BYTES);
        });
        child.once("close", () => done({ bytes: seen }));
      }),
  };
}

/** @type {ContenderKind} */
export const OUTPUT = { ours: ours(), "with a listener": ours(() => {}), pipe };
