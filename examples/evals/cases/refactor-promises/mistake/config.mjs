import { readFile } from "node:fs/promises";

export async function readConfig(path) {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch {
    return {};
  }
}

export async function readConfigs(first, second) {
  return { ...(await readConfig(first)), ...(await readConfig(second)) };
}
