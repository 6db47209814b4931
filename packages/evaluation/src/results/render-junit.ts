import type { EvalGroup, EvalResults } from "./eval-results.ts";
import type { TrialResult } from "./trial-result.ts";

const MS_PER_SECOND = 1_000;
/** Matches characters that XML 1.0 cannot represent. */
const IMPOSSIBLE = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Renders the results as JUnit XML for CI: one test suite per engine and variant, one test per trial. */
export function renderJunit(results: EvalResults): string {
  const { name, counts, groups, trials, started_at } = results;
  const suites = groups.map((group) => renderSuite(results, group));
  const attributes = attributesOf({ name, ...testsOf(counts), time: secondsOf(trials), timestamp: started_at });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributes}>\n${suites.join("")}</testsuites>\n`;
}

function testsOf({ total, failed, errors, skipped }: EvalGroup["counts"]): Record<string, number> {
  return { tests: total, failures: failed, errors, skipped };
}

function renderSuite({ name, trials, started_at }: EvalResults, group: EvalGroup): string {
  const groupTrials = trials.filter((trial) => trial.engine === group.engine && trial.variant === group.variant);
  const title = [group.engine, group.variant].filter((part) => part !== undefined).join(" / ");
  const attributes = attributesOf({
    name: title,
    ...testsOf(group.counts),
    time: secondsOf(groupTrials),
    timestamp: started_at,
  });
  const tests = groupTrials.map((trial) => renderTest(trial, `${name} / ${title}`));
  return `  <testsuite${attributes}>\n${tests.join("")}  </testsuite>\n`;
}

function renderTest(trial: TrialResult, classname: string): string {
  const name = `${trial.case_id} #${trial.iteration}`;
  const inside = [...renderRewards(trial), renderOutcome(trial), ...renderOutput(trial)].filter((line) => line !== "");
  const lines = inside.map((line) => `      ${line}\n`).join("");
  return `    <testcase${attributesOf({ name, classname, time: secondsOf([trial]) })}>\n${lines}    </testcase>\n`;
}

/** Rewards are properties, because JUnit has no element for a score. */
function renderRewards({ score, rewards = {} }: TrialResult): string[] {
  if (score === undefined) return [];
  const named = Object.entries(rewards).map(([name, value]) => [`reward.${name}`, value] as const);
  const properties = [["score", score] as const, ...named].map(
    ([name, value]) => `<property${attributesOf({ name, value })}/>`,
  );
  return [`<properties>${properties.join("")}</properties>`];
}

function renderOutcome(trial: TrialResult): string {
  const { outcome, reason = "", error } = trial;
  const message = attributesOf({ message: reason });
  switch (outcome) {
    case "PASS":
      return "";
    case "FAIL":
      return `<failure${message}>${escapeXml(assertionLines(trial))}</failure>`;
    case "ERROR":
      return `<error${attributesOf({ message: reason, type: error?.code ?? "exit_code" })}>${escapeXml(error?.remedy ?? assertionLines(trial))}</error>`;
    default:
      return `<skipped${message}/>`;
  }
}

function assertionLines({ assertions }: TrialResult): string {
  return assertions
    .map(({ kind, expected, outcome, reason, output }) =>
      [`${outcome} ${kind}: ${expected}`, reason, output].filter((part) => part !== undefined).join("\n  "),
    )
    .join("\n");
}

function renderOutput({ final_message, stderr }: TrialResult): string[] {
  return [
    ...(final_message === undefined ? [] : [`<system-out>${escapeXml(final_message)}</system-out>`]),
    ...(stderr === undefined ? [] : [`<system-err>${escapeXml(stderr)}</system-err>`]),
  ];
}

function secondsOf(trials: readonly TrialResult[]): string {
  const durationMs = trials.reduce((sum, { duration_ms = 0 }) => sum + duration_ms, 0);
  return (durationMs / MS_PER_SECOND).toFixed(3);
}

/** Renders XML attributes. */
export function attributesOf(values: Readonly<Record<string, string | number>>): string {
  const pairs = Object.entries(values).map(([name, value]) => ` ${name}="${escapeXml(String(value), true)}"`);
  return pairs.join("");
}

/** Escapes text for XML. */
export function escapeXml(text: string, isAttribute = false): string {
  const escaped = text.replace(IMPOSSIBLE, "\ufffd").replace(/[&<>"]/gu, (character) => ENTITIES[character] ?? "");
  return isAttribute ? escaped.replace(/[\t\n\r]/gu, (character) => `&#${character.charCodeAt(0)};`) : escaped;
}
