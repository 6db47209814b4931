// @ts-check
// An engine whose success rates are known: node scripted-engine.mjs <engine> <SessionInput file> <SessionResult file>
import { randomUUID } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isSolved } from "./rates.mjs";

/**
 * Cost of a run in US dollars and its tokens. An engine without an entry uses none.
 * @type {Readonly<Record<string, { cost_usd: number, input_tokens: number, output_tokens: number }>>}
 */
const USAGE = {
  oracle: { cost_usd: 0.2, input_tokens: 40_000, output_tokens: 4_000 },
  mistaken: { cost_usd: 0.05, input_tokens: 10_000, output_tokens: 1_000 },
  steady: { cost_usd: 0.04, input_tokens: 12_000, output_tokens: 900 },
  quick: { cost_usd: 0.01, input_tokens: 5_000, output_tokens: 400 },
};

const [engine = "", inputFile = "", outputFile = ""] = process.argv.slice(2);
const { case_id: caseId } = JSON.parse(readFileSync(inputFile, "utf8"));
const folder = join(import.meta.dirname, "../cases", caseId);
const seed = process.env["EVALS_SEED"] || "1";
const kind = isSolved({ engine, caseId, seed, draw: nextDraw() }) ? "solution" : "mistake";

let final_message = "Done.";
if (engine !== "nothing") {
  if (existsSync(join(folder, kind))) cpSync(join(folder, kind), ".", { recursive: true });
  if (existsSync(join(folder, `${kind}.txt`))) final_message = readFileSync(join(folder, `${kind}.txt`), "utf8");
}
const usage = USAGE[engine] ?? { cost_usd: 0, input_tokens: 0, output_tokens: 0 };
writeFileSync(outputFile, JSON.stringify({ exit_code: 0, final_message, ...usage }));

/**
 * Returns the number of this run of the case. With EVALS_DRAWS, a folder, the runs are numbered from 1, so that an
 * evaluation can be repeated exactly. Otherwise, the number is random.
 * @returns {string}
 */
function nextDraw() {
  const draws = process.env["EVALS_DRAWS"];
  if (!draws) return randomUUID();
  for (let draw = 1; ; draw += 1) {
    try {
      mkdirSync(join(draws, [engine, caseId, draw].join(".")));
      return String(draw);
    } catch (error) {
      // Another run of this case has the number.
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  }
}
