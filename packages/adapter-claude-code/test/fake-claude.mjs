// @ts-check
// Plays a recording of the real command: node fake-claude.mjs LOG [arguments of the command]. The prompt on standard
// input names the case, as the recorded prompts do; LOG gets a line with what was asked.
import { appendFileSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../fixtures/claude-2.1.197/", import.meta.url));
const [, , log = "", ...args] = process.argv;
const prompt = readFileSync(0, "utf8");
const name = /CASE:([\w-]+)/u.exec(prompt)?.[1] ?? "text";
const { cases } = JSON.parse(readFileSync(`${folder}recording.json`, "utf8"));
const recorded = readFileSync(`${folder}${name}.jsonl`, "utf8");
const own = JSON.parse(recorded.slice(0, recorded.indexOf("\n"))).session_id;
const given = args[Math.max(args.indexOf("--session-id"), args.indexOf("--resume")) + 1] ?? own;
const config = args.find((arg) => arg.startsWith("--mcp-config="))?.slice("--mcp-config=".length);
const mcpConfig = config === undefined ? undefined : JSON.parse(readFileSync(config, "utf8"));
appendFileSync(log, `${JSON.stringify({ args, prompt, mcpConfig })}\n`);
process.stdout.write(recorded.replaceAll(own, given), () => process.exit(cases[name].exitCode));
