// @ts-check
// Runs one section in a separate process. Prints its figures as JSON.
import { SECTIONS } from "./sections.mjs";

const section = Object.entries(SECTIONS).find(([name]) => name === process.argv[2])?.[1];
console.log(JSON.stringify(await section?.measure()));
