// @ts-check
// Plays a recording of the real command: node fake-claude.mjs LOG [arguments of the command]. The prompt on standard
// input names the case, as the recorded prompts do, or the lines themselves: LINES:[…]. LOG gets a line with what was
// asked. A session whose id contains `lost` is not there.
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
const env = Object.fromEntries(
  Object.entries(process.env).filter(([key]) => /^(?:ANTHROPIC_|IS_SANDBOX$|CLAUDE_CONFIG_DIR$)/u.test(key)),
);
appendFileSync(log, `${JSON.stringify({ args, prompt, mcpConfig, env })}\n`);
const lines = /LINES:(.*)$/u.exec(prompt)?.[1];
if (args.includes("--resume") && given.includes("lost")) {
  const error = given.includes("by-name")
    ? `Error: No conversation found with session ID or name: ${given}`
    : `No conversation found with session ID: ${given}`;
  const result = { type: "result", subtype: "error_during_execution", is_error: true, session_id: given };
  // Releases before 2.1 print it to standard error alone.
  if (!given.includes("old")) process.stdout.write(`${JSON.stringify({ ...result, errors: [error] })}\n`);
  process.stderr.write(`${error}\n`, () => process.exit(1));
} else if (lines !== undefined) {
  const text = JSON.parse(lines).map((/** @type {unknown} */ line) => `${JSON.stringify(line)}\n`);
  process.stdout.write(text.join(""), () => process.exit(0));
} else process.stdout.write(recorded.replaceAll(own, given), () => process.exit(cases[name].exitCode));
