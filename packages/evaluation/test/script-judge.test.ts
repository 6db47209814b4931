import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { compileSchema } from "@switchyard/json-schema";
import { expect, test } from "vitest";
import { engineOf, evaluate, makeFolder } from "./evaluate.ts";

const LEAK = "sk-live-this-must-never-be-seen-0123456789";

/** Scripts by name, their expected outcome, score and reason. */
const SCRIPTS: Readonly<Record<string, readonly [script: string, outcome: string, reason: string, score?: number]>> = {
  "input.js": [
    `const { copyFileSync } = require("node:fs"); copyFileSync(process.env.EVAL_JUDGE_INPUT_PATH, "input.json");
     console.log(JSON.stringify({ passed: true, reason: "Read.", score: 0.75 }));`,
    "PASS",
    "Read.",
    0.75,
  ],
  "refuses.sh": ['echo \'{"passed": false, "reason": "Wrong.", "score": 0.1}\'', "FAIL", "Wrong.", 0.1],
  "plain.sh": ["echo fine", "PASS", "fine"],
  "silent.sh": ["exit 7", "FAIL", "The script ended with exit code 7."],
  "contradicts.sh": [
    'echo \'{"passed": true, "reason": "Good."}\'; exit 1',
    "FAIL",
    "Good. The script ended with exit code 1.",
  ],
  "undecided.sh": ['echo \'{"error": "No test runner."}\'', "ERROR", "No test runner."],
  "wrong.sh": ['echo \'{"passed": "true"}\'', "ERROR", "The answer of the script is invalid"],
  "other.sh": ["echo '{\"tests\": 3}'", "PASS", '{"tests": 3}'],
  "leaks.sh": [`grep -h . leak.txt; exit 1`, "FAIL", "***REDACTED***"],
  "imports.py": ["import helper", "FAIL", "exit code 1"],
};

test("a script judge gets transcript, files and result as JSON, and answers with verdict, score and reason", async () => {
  const suiteFolder = await makeFolder();
  for (const [name, [text]] of Object.entries(SCRIPTS)) await writeFile(join(suiteFolder, name), text);
  const engine = engineOf(async ({ environment }) => {
    await environment.writeFile("src/a.ts", "let a;");
    await environment.writeFile("leak.txt", LEAK);
    // A module that a script of the judge would import from its own folder.
    await environment.writeFile(".switchyard-judge/helper.py", "raise SystemExit(0)");
    const transcript = [{ role: "assistant" as const, content: `I know ${LEAK}` }];
    return { final_message: `Done with ${LEAK}.`, transcript };
  });
  const asserts = Object.keys(SCRIPTS).map((name) => `{ script: ${name} }`);
  const yaml = `engines: [e]\ncases: [{ id: c, prompt: Do it, assert: [${asserts.join(", ")}] }]`;
  const { results, output } = await evaluate(yaml, { e: engine }, { suiteFolder, secrets: [LEAK] });
  const [trial] = results.trials;
  const shown = trial?.assertions.map(({ outcome, reason, score }) => ({ outcome, reason, score }));
  expect(shown).toEqual(
    Object.values(SCRIPTS).map(([, outcome, reason, score]) => ({
      outcome,
      reason: expect.stringContaining(reason),
      score,
    })),
  );
  // The folder of the judge is removed, and what the script wrote stays.
  const input: unknown = JSON.parse(await readFile(join(output, trial?.workspace ?? "", "input.json"), "utf8"));
  expect(input).toEqual({
    format: 1,
    case_id: "c",
    engine: "e",
    iteration: 1,
    task: "Do it",
    final_message: "Done with ***REDACTED***.",
    result: expect.objectContaining({ exit_code: 0, final_message: "Done with ***REDACTED***." }),
    transcript: [{ role: "assistant", content: "I know ***REDACTED***" }],
    turns: [{ content: "Do it", response: "Done with ***REDACTED***.", status: "completed" }],
    files: [
      { path: "leak.txt", bytes: LEAK.length },
      { path: "src/a.ts", bytes: 6 },
    ],
    are_files_partial: false,
    workspace_diff: expect.stringContaining("+***REDACTED***"),
  });
  expect(JSON.stringify(input)).not.toContain("sk-live");
  const published = new URL("../../contracts/json-schemas/script-judge-input.schema.json", import.meta.url);
  const check = compileSchema(JSON.parse(await readFile(published, "utf8")));
  expect(check(input)).toBeUndefined();
  expect(check({ ...Object(input), files: undefined })).toContain("files");
});
