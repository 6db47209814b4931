// @ts-check
// Installs the commands of real agents for the tests that run them: node install-agents.mjs [name…] Each is installed
// in a separate folder below .cache/agents, so that users of the packages do not install them.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentPackages, folderOf } from "./real-agents.mjs";

const packages = agentPackages();
const named = process.argv.slice(2);
for (const name of named.length === 0 ? Object.keys(packages) : named) {
  const wanted = packages[name];
  if (wanted === undefined) throw new Error(`There is no agent ${name} in agents.json.`);
  const folder = folderOf(name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  // Only the named script of a package may run.
  const flags = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", ["install", ...flags, `${wanted.package}@${wanted.version}`], { cwd: folder, stdio: "inherit" });
  if (wanted.setup === undefined) continue;
  const own = join(folder, "node_modules", wanted.package);
  execFileSync(process.execPath, [wanted.setup], { cwd: own, stdio: "inherit" });
}
