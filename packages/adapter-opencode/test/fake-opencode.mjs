// @ts-check
// Plays a recording of the real command: node fake-opencode.mjs LOG [arguments of the command]. The prompt on standard
// input names the case, as the recorded prompts do, or the lines themselves: LINES:[…]. LOG gets what was asked.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../fixtures/opencode-1.18.33/", import.meta.url));
const [, , log = "", ...args] = process.argv;
if (args[0] === "--version") {
  // Beside the log, where a test wants another one.
  process.stdout.write(existsSync(`${log}.version`) ? readFileSync(`${log}.version`) : "1.18.33\n", () =>
    process.exit(),
  );
}
const prompt = args[0] === "--version" ? "LINES:[]" : readFileSync(0, "utf8");
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith("OPENCODE_")));
if (args[0] !== "--version") appendFileSync(log, `${JSON.stringify({ args, prompt, env })}\n`);
const lines = /LINES:(.*)$/u.exec(prompt)?.[1];
if (args.includes("--session") && args[args.indexOf("--session") + 1]?.includes("lost")) {
  process.stderr.write("\u001B[91m\u001B[1mError: \u001B[0mSession not found\n", () => process.exit(1));
} else if (lines !== undefined) {
  for (const line of JSON.parse(lines))
    process.stdout.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
} else {
  const name = /CASE:([\w-]+)/u.exec(prompt)?.[1] ?? "text";
  const { cases } = JSON.parse(readFileSync(`${folder}recording.json`, "utf8"));
  const recorded = readFileSync(`${folder}${name}.jsonl`, "utf8");
  const own = JSON.parse(recorded.slice(0, recorded.indexOf("\n"))).sessionID;
  const given = args.includes("--session") ? args[args.indexOf("--session") + 1] : own;
  process.stdout.write(recorded.replaceAll(own, given ?? own), () => process.exit(cases[name].exitCode));
}
