// @ts-check
// Opens an environment from the options in its first arguments, says so, and waits to be killed.
import { loadFromSource } from "@switchyard/suite/load-from-source";

const [kind = "", options = ""] = process.argv.slice(2);
const root = new URL("../../", import.meta.url);
const { exports } = await loadFromSource(new URL(`src/${kind}/index.ts`, root), root);
const open = kind === "docker" ? exports["openDockerEnvironment"] : exports["openKubernetesEnvironment"];
const environment = await open(JSON.parse(options));
const { stdout } = await environment.exec(["hostname"]);
process.stdout.write(`OPEN ${stdout.trim()}\n`);
setInterval(() => {}, 60_000);
