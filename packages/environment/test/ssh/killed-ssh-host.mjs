// @ts-check
// Opens an environment from the options in its first argument, runs a script in it, and waits to be killed.
import { loadFromSource } from "@switchyard/suite/load-from-source";

const [options = "", script = ""] = process.argv.slice(2);
const root = new URL("../../", import.meta.url);
const exports = await loadFromSource(new URL("src/ssh/index.ts", root), root);
const environment = await exports["openSshEnvironment"](JSON.parse(options));
void environment.shell(script, { onOutput: () => process.stdout.write("RUNNING\n") });
