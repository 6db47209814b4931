// @ts-check
// Archives 200 MB of declared artifacts in a separate process, and prints the cost as JSON.
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { collectArtifacts } from "@switchyard/runner";

const FILES = 20;
const FILE_BYTES = 10 * 2 ** 20;
const WINDOW = 2 ** 20;

const folder = realpathSync(mkdtempSync(join(tmpdir(), "bench-archive-")));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
const names = Array.from({ length: FILES }, (_, index) => `artifact-${index}.bin`);
const content = Buffer.alloc(FILE_BYTES, "artifact ");
for (const name of names) writeFileSync(join(folder, name), content);

/** Returns the peak memory of the process, in bytes. */
function peak() {
  return Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? Number.NaN) * 1024;
}

/** @param {() => Promise<void>} work */
async function cpuOf(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const copyMs = await cpuOf(async () => {
  const buffer = Buffer.alloc(WINDOW);
  for (const name of names) {
    const [from, to] = [await open(join(folder, name)), await open(join(folder, `copy-${name}`), "w")];
    for (let at = 0; at < FILE_BYTES; at += WINDOW) {
      await from.read(buffer, 0, WINDOW, at);
      await to.write(buffer, 0, WINDOW, at);
    }
    await from.close();
    await to.close();
  }
});

const environment = await openLocalEnvironment({ root: folder, env: process.env });
globalThis.gc?.();
writeFileSync("/proc/self/clear_refs", "5");
const baseline = process.memoryUsage.rss();
let bytes = 0;
const cpuMs = await cpuOf(async () => {
  const options = { environment, folder: join(folder, "archive") };
  for (const artifact of await collectArtifacts({ generated_files: names }, options)) bytes += artifact.bytes ?? 0;
});
console.log(JSON.stringify({ bytes, grown: peak() - baseline, cpuMs, copyMs }));
await environment[Symbol.asyncDispose]();
process.exit();
