// @ts-check
// Plays a recording of the real command: node fake-copilot.mjs LOG [arguments of the command]. The prompt names the case,
// as the recorded prompts do, or the lines themselves: LINES:[…]. ENDING:SIGTERM and ENDING:143 say how it ends after them. LOG gets a line with what was asked. Like the command, it keeps the sums of its session in
// a file of its own folder: those of the first turn, and from the second one on those of the second.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../fixtures/copilot-1.0.102/", import.meta.url));
const [, , log = "", ...args] = process.argv;
const wordOf = (/** @type {string} */ flag) => args.find((arg) => arg.startsWith(`${flag}=`))?.slice(flag.length + 1);
const name = /CASE:([\w-]+)/u.exec(wordOf("--prompt") ?? "")?.[1] ?? "text";
const { cases } = JSON.parse(readFileSync(`${folder}recording.json`, "utf8"));
const recorded = readFileSync(`${folder}${name}.jsonl`, "utf8");
const own = JSON.parse(recorded.trim().split("\n").at(-1) ?? "").sessionId;
const given = wordOf("--session-id") ?? wordOf("--resume") ?? own;
const config = wordOf("--additional-mcp-config")?.replace(/^@/u, "");
const mcpConfig = config === undefined ? undefined : JSON.parse(readFileSync(config, "utf8"));
appendFileSync(log, `${JSON.stringify({ args, mcpConfig })}\n`);

const session = join(process.env["COPILOT_HOME"] ?? "", "session-state", given);
const [first, second] = readFileSync(`${folder}session-sums.jsonl`, "utf8").trim().split("\n");
mkdirSync(session, { recursive: true });
const sums = join(session, "events.jsonl");
if (!name.startsWith("err")) appendFileSync(sums, `${existsSync(sums) ? second : first}\n`);
const lines = /LINES:(.*)$/u.exec(wordOf("--prompt") ?? "")?.[1];
if (wordOf("--resume")?.includes("lost")) {
  process.stderr.write(`Error: No session, task, or name matched '${given}'.\n\nTo resume by name: copilot\n`, () =>
    process.exit(1),
  );
} else if (lines !== undefined) {
  const text = JSON.parse(lines).map((/** @type {unknown} */ line) => `${JSON.stringify(line)}\n`);
  const ending = /ENDING:(\w+)/u.exec(wordOf("--prompt") ?? "")?.[1] ?? "0";
  process.stdout.write(text.join(""), () => {
    if (/^\d+$/u.test(ending)) process.exit(Number(ending));
    process.kill(process.pid, ending);
  });
} else process.stdout.write(recorded.replaceAll(own, given), () => process.exit(cases[name].exitCode));
