// @ts-check
// Runs one section in a separate process. Prints its figures as JSON.
import { SECTIONS } from "./sections.mjs";

const section = SECTIONS[process.argv[2] ?? ""];
console.log(JSON.stringify(await section?.measure()));
