// @ts-check
// The model of the measured turns, in a separate process. Prints its address.
import { startModelServer } from "@switchyard/real-agents/model-server";
import { SCRIPT } from "./contenders.mjs";

const { url } = await startModelServer({ script: SCRIPT });
console.log(url);
