// @ts-check
// The model of the turns that are measured, in a process of its own: prints its address.
import { startModelServer } from "@switchyard/real-agents/model-server";
import { SCRIPT } from "./contenders.mjs";

const { url } = await startModelServer({ script: SCRIPT });
console.log(url);
