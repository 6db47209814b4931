import { readFile } from "node:fs/promises";

export async function readConfig(path) {
  return JSON.parse(await readFile(path, "utf8"));
}

export async function readConfigs(first, second) {
  return { ...(await readConfig(first)), ...(await readConfig(second)) };
}
