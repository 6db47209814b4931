// @ts-check
// The command of a provider: does as the file beside it says, and keeps what it was given.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const here = import.meta.dirname;
const log = `${here}/../../received.jsonl`;
const does = JSON.parse(readFileSync(`${here}/behaviour.json`, "utf8"));

/** @param {unknown} value @returns {any} */
function filled(value) {
  if (typeof value === "string") return value.replace(/%([A-Z_]+)%/gu, (_, name) => process.env[name] ?? "");
  if (Array.isArray(value)) return value.map(filled);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item)]));
}

let stdin = "";
for await (const chunk of process.stdin) stdin += chunk;
appendFileSync(log, `${JSON.stringify({ stdin, argv: process.argv, env: process.env, cwd: process.cwd() })}\n`);
const calls = readFileSync(log, "utf8").split("\n").length - 1;

if (does.stderr !== undefined) process.stderr.write(filled(does.stderr));
for (const path of does.writes ?? []) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "writes");
}
if (does.floods === true) for (let index = 0; index < 512; index += 1) process.stdout.write("x".repeat(4096));
if (does.prints === undefined) {
  const fails = calls <= (does.failures ?? 0);
  const failure = fails ? { status: "failed", failure_classification: does.failsAs ?? "transient" } : {};
  const outcome = {
    ...{ schema: "homeboy/agent-task-outcome/v1", task_id: JSON.parse(stdin).task_id, status: "succeeded" },
    ...{ summary: "done", diagnostics: [], artifacts: [], metadata: {} },
    ...filled(does.outcome ?? {}),
    ...failure,
  };
  const kept = Object.entries(outcome).filter(([, value]) => value !== "__omit__");
  process.stdout.write(JSON.stringify(Object.fromEntries(kept)));
} else {
  process.stdout.write(filled(does.prints));
}
if (does.signal !== undefined) process.kill(process.pid, does.signal);
if (does.hangs === true || does.signal !== undefined) setInterval(() => undefined, 60_000);
else process.exitCode = does.exit ?? 0;
