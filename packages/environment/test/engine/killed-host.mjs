// @ts-check
// Opens an environment from its arguments, runs a command in it, says so, and waits to be killed.
import { loadFromSource } from "@switchyard/suite/load-from-source";

const [kind = "", options = ""] = process.argv.slice(2);
const root = new URL("../../", import.meta.url);
const exports = await loadFromSource(new URL(`src/${kind}/index.ts`, root), root);
const open = kind === "docker" ? exports["openDockerEnvironment"] : exports["openKubernetesEnvironment"];
const environment = await open(JSON.parse(options));
const command = await environment.spawn(["sh", "-c", "echo up; sleep 701 & setsid sleep 702"]);
await command.stdout.getReader().read();
process.stdout.write("OPEN\n");
setInterval(() => {}, 60_000);
