#!/usr/bin/env node
import { readFileSync } from "node:fs";

const version = readVersion();
const [word, ...rest] = process.argv.slice(2);
// Asked for the most often, by tools: answered before anything else is loaded.
if ((word === "--version" || word === "-V") && rest.length === 0) console.log(version);
else await start();

async function start(): Promise<void> {
  const { main } = await import("./main.ts");
  await main({ version, assetDirectory: import.meta.dirname });
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const found =
    typeof manifest === "object" && manifest !== null && "version" in manifest ? manifest.version : undefined;
  return typeof found === "string" ? found : "unknown";
}
