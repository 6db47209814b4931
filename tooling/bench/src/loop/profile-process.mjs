// @ts-check
// Profiles one long session of a contender: `profile-process.mjs <contender> <workload as JSON>`. Prints the time of each
// part of the program in microseconds, as JSON.
import { Session } from "node:inspector/promises";
import { attributeProfile } from "../figure/attribute-profile.mjs";
import { CONTENDERS } from "./contenders/contenders.mjs";

/** @import { Workload } from "./workload.mjs" */

/** Interval between two samples, in microseconds. */
const INTERVAL_US = 250;

const [name = "", given = ""] = process.argv.slice(2);
const open = CONTENDERS[name];
if (open === undefined) throw new Error(`There is no contender ${name}.`);
/** @type {Workload} */
const { plan } = JSON.parse(given);
const contender = await open();
// Loads the modules, which must not count.
await contender.converse({ ...plan, rounds: 5 });
const inspector = new Session();
inspector.connect();
await inspector.post("Profiler.enable");
await inspector.post("Profiler.setSamplingInterval", { interval: INTERVAL_US });
await inspector.post("Profiler.start");
await contender.converse(plan);
const { profile } = await inspector.post("Profiler.stop");
const { nodes, samples = [], timeDeltas = [] } = profile;
console.log(JSON.stringify([...attributeProfile({ nodes, samples, timeDeltas })]));
await contender.close?.();
process.exit();
