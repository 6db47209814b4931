// @ts-check
// Gives up root, opens an environment in a container, runs commands in it one after another and prints their results.
import { loadFromSource } from "@switchyard/suite/load-from-source";

const [user = "{}", options = "{}", commands = "[]"] = process.argv.slice(2);
const root = new URL("../../", import.meta.url);
const exports = await loadFromSource(new URL("src/docker/index.ts", root), root);
const { uid, gid } = JSON.parse(user);
process.setgroups?.([]);
process.setgid?.(gid);
process.setuid?.(uid);
const environment = await exports["openDockerEnvironment"](JSON.parse(options));
const results = [];
for (const command of JSON.parse(commands)) {
  const { stdout, stderr, exitCode } = await environment.shell(command);
  results.push({ stdout, stderr, exitCode });
}
await environment.writeFile("by-a-tool.txt", "written\n");
await environment[Symbol.asyncDispose]();
process.stdout.write(JSON.stringify(results));
