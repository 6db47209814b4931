// @ts-check
// Checks that the page "What an agent can reach" contains the answers that the tests of environments measure. `--update`
// writes the answers to the page.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { reportOutcome } from "@switchyard/suite/result-line";
import { compareGenerated } from "./reference/generated-files.mjs";
import { ROOT } from "./repository.mjs";

/**
 * @typedef {{ id: string, title: string, note: string }} Environment
 * @typedef {{ isReached: boolean, detail: string }} Answer
 * @typedef {{ topic: string, title: string, answers: Record<string, Answer> }} Question
 */

const BLOCK = /(<!-- reach: .* -->\n)[\s\S]*?(<!-- \/reach -->)/;
const PAGE = "docs/reference/what-an-agent-can-reach.md";

/** @type {{ environments: Environment[], questions: Question[] }} */
const { environments, questions } = JSON.parse(
  readFileSync(join(ROOT, "packages/environment/test/reach/reach.json"), "utf8"),
);

/**
 * @param {Environment} environment
 * @returns {string}
 */
function sectionOf({ id, title, note }) {
  const rows = questions.map(({ topic, title: question, answers }) => {
    const answer = answers[id];
    return [topic, question, answer === undefined ? "" : `${answer.isReached ? "yes" : "no"}: ${answer.detail}`];
  });
  const table = [["Topic", "Can a command …", "Answer"], ["---", "---", "---"], ...rows];
  return `## ${title}\n\n${note}\n\n${table.map((cells) => `| ${cells.join(" | ")} |\n`).join("")}`;
}

const page = readFileSync(join(ROOT, PAGE), "utf8");
const text = environments.map(sectionOf).join("\n");
const missing = questions.flatMap(({ title, answers }) =>
  environments
    .filter(({ id }) => answers[id] === undefined)
    .map(({ id }) => `reach.json: no answer for ${id}: ${title}`),
);
const compared = BLOCK.test(page)
  ? compareGenerated([{ path: PAGE, text: page.replace(BLOCK, (_, start, end) => `${start}\n${text}\n${end}`) }], {
      root: ROOT,
      update: process.argv.includes("--update"),
      command: "pnpm docs:update",
    })
  : [`${PAGE} has no block for the answers.`];
const problems = [...missing, ...compared];
reportOutcome({ problems, passed: problems.length === 0 ? 1 : 0 });
