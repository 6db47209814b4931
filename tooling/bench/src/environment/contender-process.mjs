// @ts-check
// Runs one contender in a separate process: `contender-process.mjs <kind> <name> <setting as JSON>`. Prints its cost.
import { costOf } from "./cost.mjs";

/** @import { ContenderKind } from "./contenders/contender-kind.mjs" */

/** @type {Readonly<Record<string, () => Promise<ContenderKind>>>} */
const KINDS = {
  grep: async () => (await import("./contenders/grep.mjs")).GREP,
  glob: async () => (await import("./contenders/glob.mjs")).GLOB,
  reads: async () => (await import("./contenders/reads.mjs")).READS,
  edits: async () => (await import("./contenders/edits.mjs")).EDITS,
  output: async () => (await import("./contenders/output.mjs")).OUTPUT,
};

const [kind = "", name = "", setting = "{}"] = process.argv.slice(2);
const open = (await KINDS[kind]?.())?.[name];
if (open === undefined) throw new Error(`There is no contender ${name} of ${kind}.`);
const contender = await open(JSON.parse(setting));
console.log(JSON.stringify(await costOf(contender.run)));
await contender.close?.();
process.exit();
