// @ts-check
// Acquires and releases locks on folders on command. Each line is a command: "take FOLDER", "give" (release) or
// "hold FILE", which acquires a file lock and never releases it. Replies: "taken", "refused CODE", "given" or "held".
import { createInterface } from "node:readline";
import { loadFromSource } from "@switchyard/suite/load-from-source";

const [state = "", runId = ""] = process.argv.slice(2);
const root = new URL("../../", import.meta.url);
const exports = await loadFromSource(new URL("src/lock/lock-workspace.ts", root), root);
const steps = await loadFromSource(new URL("src/lock/with-file-lock.ts", root), root);
/** @type {AsyncDisposable | undefined} */
let held;
process.stdout.write("ready\n");
for await (const line of createInterface({ input: process.stdin })) {
  if (line.startsWith("hold ")) {
    const hold = () => {
      process.stdout.write("held\n");
      return new Promise(() => {});
    };
    void steps["withFileLock"](line.slice("hold ".length), hold);
    continue;
  }
  if (line === "give") {
    await held?.[Symbol.asyncDispose]();
    process.stdout.write("given\n");
    continue;
  }
  try {
    held = await exports["lockWorkspace"](line.slice("take ".length), { state, runId, onTakeover: async () => {} });
    process.stdout.write("taken\n");
  } catch (error) {
    process.stdout.write(`refused ${error instanceof Error && "code" in error ? error.code : String(error)}\n`);
  }
}
process.exit(0);
