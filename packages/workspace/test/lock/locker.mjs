// @ts-check
// Takes locks on folders when it is told to, one line a command: "take FOLDER" or "give". Answers "taken", "refused CODE" or "given".
import { createInterface } from "node:readline";
import { loadFromSource } from "@switchyard/suite/load-from-source";

const [state = "", runId = ""] = process.argv.slice(2);
const root = new URL("../../", import.meta.url);
const { exports } = await loadFromSource(new URL("src/lock/lock-workspace.ts", root), root);
/** @type {AsyncDisposable | undefined} */
let held;
process.stdout.write("ready\n");
for await (const line of createInterface({ input: process.stdin })) {
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
