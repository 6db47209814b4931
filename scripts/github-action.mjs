// @ts-check
// Started by action.yml: runs the installed command once, and reports the result as outputs, a summary and annotations.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { appendFileSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Fields of a run report that the action reads.
 * @typedef {object} Report
 * @property {string} runId
 * @property {string} engine
 * @property {string} [model]
 * @property {string} status
 * @property {{ final_message?: string }} [result]
 * @property {{ message: string, remedy?: string }} [error]
 * @property {string[]} [warnings]
 * @property {{ totalTokens: number, costMicros?: number }} usage
 * @property {{ durationMs?: number }} [timing]
 * @property {string} [workspaceDiff]
 */

/** Maximum number of diff characters in the summary, whose size GitHub limits. */
const SUMMARY_DIFF_CHARS = 200_000;

/** @param {string} name */
function input(name) {
  return process.env[`SWITCHYARD_ACTION_${name}`]?.trim() ?? "";
}

/** @param {string} option @param {string} value */
function optional(option, value) {
  return value === "" ? [] : [option, value];
}

function argv() {
  return [
    ...["run", "--json", "--no-ask-user", "--engine", input("ENGINE") || "agent"],
    ...optional("--model", input("MODEL")),
    ...optional("--env", input("ENV")),
    ...optional("--mode", input("MODE")),
    ...optional("--workspace", input("WORKSPACE")),
    ...optional("--timeout", input("TIMEOUT")),
    ...optional("--max-tokens", input("MAX_TOKENS")),
    ...input("ARGUMENTS")
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== ""),
  ];
}

/** Runs the command. Its human-readable output goes to the log; GitHub ignores workflow commands in it. */
async function run() {
  const stopped = randomUUID();
  process.stdout.write(`::stop-commands::${stopped}\n`);
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith("SWITCHYARD_ACTION_")),
  );
  // The task is passed on standard input, so that a task that starts with a hyphen is not parsed as an option.
  const child = spawn("switchyard", argv(), { stdio: ["pipe", "pipe", "inherit"], env });
  child.stdin.on("error", () => undefined);
  child.stdin.end(input("TASK"));
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    output += text;
  });
  try {
    /** @type {number} */
    const code = await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (status) => resolve(status ?? 1));
    });
    return { code, output };
  } finally {
    // GitHub ignores all workflow commands until it reads this line, so it is written before any of them.
    process.stdout.write(`\n::${stopped}::\n`);
  }
}

/** @param {string} text @returns {Report | undefined} */
function parse(text) {
  try {
    const report = JSON.parse(text);
    return typeof report?.runId === "string" ? report : undefined;
  } catch {
    return undefined;
  }
}

/** Sets step outputs. Each value is enclosed in a random delimiter that it cannot contain. @param {Readonly<Record<string, string>>} values */
function setOutputs(values) {
  const file = process.env["GITHUB_OUTPUT"];
  if (file === undefined) return;
  for (const [name, value] of Object.entries(values)) {
    const mark = `end-${randomUUID()}`;
    appendFileSync(file, `${name}<<${mark}\n${value}\n${mark}\n`);
  }
}

/** @param {"error" | "warning"} level @param {string} message */
function annotate(level, message) {
  const escaped = message.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  process.stdout.write(`::${level} title=Switchyard::${escaped}\n`);
}

/** Returns a text in a code fence that is longer than any fence in the text. @param {string} text @param {string} [language] */
function fenced(text, language = "") {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}\n`;
}

/** @param {Report} report */
function costOf({ usage }) {
  return usage.costMicros === undefined ? "" : (usage.costMicros / 1_000_000).toFixed(4);
}

/** @param {string} text */
function inCell(text) {
  return text.replace(/[\\|<>`[\]*_\r\n]/g, " ");
}

/** @param {Report} report */
function summaryOf(report) {
  const { status, engine, model = "", usage, result, error, warnings = [], workspaceDiff = "" } = report;
  const cost = costOf(report);
  const rows = [
    ["State", status],
    ["Engine", engine],
    ["Model", model],
    ["Tokens", usage.totalTokens.toLocaleString("en-US")],
    ["Cost", cost === "" ? "unknown" : `$${cost}`],
    ["Run", report.runId],
  ];
  const cut = workspaceDiff.length > SUMMARY_DIFF_CHARS ? "\n(The rest is in the output `diff`.)\n" : "";
  return [
    "## Switchyard\n",
    `| | |\n|---|---|\n${rows.map(([name, value = ""]) => `| ${name} | ${inCell(value)} |`).join("\n")}\n`,
    ...(result?.final_message ? [fenced(result.final_message)] : []),
    ...(error === undefined ? [] : [fenced(`${error.message} ${error.remedy ?? ""}`)]),
    ...(warnings.length === 0 ? [] : [fenced(warnings.join("\n"))]),
    ...(workspaceDiff === ""
      ? []
      : [
          `<details><summary>Changes</summary>\n\n${fenced(workspaceDiff.slice(0, SUMMARY_DIFF_CHARS), "diff")}${cut}</details>\n`,
        ]),
  ].join("\n");
}

/** @param {Report} report @param {string} text */
function publishReport(report, text) {
  const folder = mkdtempSync(join(process.env["RUNNER_TEMP"] ?? tmpdir(), "switchyard-"));
  const files = { report: join(folder, "report.json"), diff: "" };
  writeFileSync(files.report, text);
  if (report.workspaceDiff) {
    files.diff = join(folder, "changes.diff");
    writeFileSync(files.diff, report.workspaceDiff);
  }
  const message = report.result?.final_message ?? "";
  setOutputs({ status: report.status, "run-id": report.runId, message, cost: costOf(report), ...files });
  const summary = process.env["GITHUB_STEP_SUMMARY"];
  if (summary !== undefined) appendFileSync(summary, summaryOf(report));
  for (const warning of report.warnings ?? []) annotate("warning", warning);
}

/** Returns whether the step fails. @param {number} code */
function failsWith(code) {
  const failOn = input("FAIL_ON") || "task";
  if (failOn === "never") return false;
  return failOn === "error" ? code !== 0 && code !== 1 : code !== 0;
}

try {
  const { code, output } = await run();
  const report = parse(output);
  if (report !== undefined) publishReport(report, output);
  if (code !== 0) annotate(failsWith(code) ? "error" : "warning", problemOf(report, code));
  process.exitCode = failsWith(code) ? code : 0;
} catch (error) {
  annotate("error", `The command switchyard did not start: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 2;
}

/** @param {Report | undefined} report @param {number} code */
function problemOf(report, code) {
  if (report?.error !== undefined) return `${report.error.message} ${report.error.remedy ?? ""}`;
  if (report === undefined) return `The run did not begin (exit code ${code}): the log says why.`;
  return `The run ${report.runId} ended as ${report.status}.`;
}
