// @ts-check
import { execFileSync } from "node:child_process";
import { composeCommand, composeStart, wordsOf } from "./compose-command.mjs";
import { allowing, denying, openPolicyJudge } from "./judge-command.mjs";
import { unexpectedEffects } from "./read-trace.mjs";
import { Sandbox } from "./sandbox.mjs";
import { SCENARIOS } from "./scenarios.mjs";

/** @import { DeepFailure, DeepOptions, DeepResult, DeepSuite } from "../../deep-suite.mjs" */
/** @import { JudgeCommand } from "./judge-command.mjs" */
/** @import { Scenario } from "./fragment.mjs" */

/**
 * A command that is traced.
 * @typedef {object} WatchedCommand
 * @property {number} index Number of the case; controls have the number of the first.
 * @property {string} line
 * @property {Scenario} scenario
 * @property {"run" | "write" | "connect"} [control] Effect that the command is known to have.
 */

/** Every fourth case is about a deny rule. */
const DENIED = 4;
/** A rule that denies only the canary; other programs may have any effect. */
/** @type {Scenario} */
const DENIAL = { rule: "run", words: [], good: [], bad: [], isDenial: true };
/** Controls per case, so that a short run observes only a sample of them. */
const CONTROLS_PER_CASE = 0.3;
const BATCH = 100;
const PARALLEL = 2;

/**
 * @param {string} program
 * @returns {boolean}
 */
function isInstalled(program) {
  try {
    execFileSync("/bin/sh", ["-c", 'command -v "$1"', "sh", program], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {string} word
 * @returns {string}
 */
function quoted(word) {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * Returns commands with a known bad effect, without a policy, which prove that the tracer detects it.
 * @param {readonly Scenario[]} scenarios
 * @param {number} index
 * @returns {WatchedCommand[]}
 */
function controlsOf(scenarios, index) {
  return scenarios.flatMap((scenario) =>
    scenario.bad.map((fragment) => ({
      ...{ index, scenario, control: fragment.effect },
      line: wordsOf(scenario, fragment).map(quoted).join(" "),
    })),
  );
}

/**
 * Returns every n-th control, so that the sample contains controls of all scenarios. The seed determines the first one.
 * @param {readonly WatchedCommand[]} controls
 * @param {Pick<DeepOptions, "seed" | "count">} extent
 * @returns {readonly WatchedCommand[]}
 */
function sampleOf(controls, { seed, count }) {
  const every = Math.ceil(controls.length / (CONTROLS_PER_CASE * count));
  return controls.filter((_, index) => index % every === seed % every);
}

/**
 * @param {Sandbox} sandbox
 * @param {readonly WatchedCommand[]} commands
 * @returns {Promise<DeepFailure[]>}
 */
async function watchAll(sandbox, commands) {
  const batches = Array.from({ length: Math.ceil(commands.length / BATCH) }, (_, at) =>
    commands.slice(at * BATCH, (at + 1) * BATCH),
  );
  /** @type {DeepFailure[]} */
  const failures = [];
  const work = async () => {
    for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
      const effects = await sandbox.watch(batch.map(({ line }) => line));
      for (const [at, command] of batch.entries()) {
        const found = effects[at];
        if (found !== undefined) failures.push(...problemsOf(command, unexpectedEffects(found, command.scenario)));
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return failures;
}

/**
 * @param {WatchedCommand} command
 * @param {readonly { effect: string, what: string }[]} effects
 * @returns {DeepFailure[]}
 */
function problemsOf({ index, line, scenario, control }, effects) {
  if (control !== undefined) {
    const isSeen = effects.some(({ effect }) => effect === control);
    return isSeen ? [] : [{ case: index, problem: `control: ${line} should ${control}, and the watcher saw nothing` }];
  }
  const isDenial = scenario.isDenial === true;
  const first = isDenial ? effects.find(({ what }) => what.endsWith("/run")) : effects[0];
  if (first === undefined) return [];
  return [
    {
      case: index,
      problem: `${isDenial ? "deny " : ""}${scenario.rule} allowed ${JSON.stringify(line)}: ${first.effect} ${first.what}`,
    },
  ];
}

/**
 * Composes and judges the cases. Returns the allowed ones, which are then traced.
 * @param {Pick<DeepOptions, "seed" | "first" | "count">} extent
 * @param {JudgeCommand} judge
 * @param {ReadonlySet<Scenario>} available
 */
async function judgeAll({ seed, first, count }, judge, available) {
  /** @type {WatchedCommand[]} */
  const allowed = [];
  /** @type {DeepFailure[]} */
  const failures = [];
  let covered = 0;
  for (let index = first; index < first + count; index += 1) {
    if (index % DENIED === DENIED - 1) {
      const line = composeStart(seed, index);
      if (await judge(denying(DENIAL.rule), line)) allowed.push({ index, line, scenario: DENIAL });
      continue;
    }
    const { scenario, line, isCovered } = composeCommand(seed, index);
    const isAllowed = await judge(allowing(scenario.rule), line);
    if (isCovered) covered += 1;
    if (isCovered && !isAllowed) failures.push({ case: index, problem: `${scenario.rule} does not cover ${line}` });
    if (isAllowed && available.has(scenario)) allowed.push({ index, line, scenario });
  }
  return { allowed, failures, covered };
}

/**
 * Runs cases with any judge; tests pass a wrong one.
 * @param {DeepOptions} options
 * @param {JudgeCommand} [given] The policy of the agent loop by default.
 * @returns {Promise<DeepResult>}
 */
export async function runShellPolicy(options, given) {
  const missing = ["bwrap", "strace", "git"].filter((program) => !isInstalled(program));
  if (missing.length > 0)
    return { cases: 0, figures: {}, failures: [], skipped: `${missing.join(", ")} not installed` };
  const sandbox = new Sandbox();
  const policy = await openPolicyJudge(sandbox.workspace);
  try {
    const scenarios = SCENARIOS.filter(({ words: [program = ""] }) => isInstalled(program));
    const judged = await judgeAll(options, given ?? policy.judge, new Set(scenarios));
    options.log(`${judged.allowed.length} of ${options.count} commands are allowed and run in the sandbox`);
    const hasControls = options.count > 1 && given === undefined;
    const controls = hasControls ? sampleOf(controlsOf(scenarios, options.first), options) : [];
    const watched = await watchAll(sandbox, [...controls, ...judged.allowed]);
    const figures = {
      "commands that were allowed and observed": judged.allowed.length,
      "commands that need approval": options.count - judged.allowed.length,
      "harmless commands that must be allowed": judged.covered,
      "forbidden effects that the observer had to detect": controls.length,
      programs: new Set(scenarios.map(({ words }) => words[0])).size,
    };
    return { cases: options.count, figures, failures: [...judged.failures, ...watched] };
  } finally {
    await policy.close();
    sandbox.close();
  }
}

/** @type {DeepSuite} */
export const shellPolicySuite = {
  name: "shell-policy",
  title:
    "Each test case of this suite composes a command from programs, options, quoting, wrappers and shell constructs, and compares the command with allow rules. If an allow rule covers a command, the suite executes the command in a sandbox that records files, processes and connections. The case fails if the recorded command changed a file, started a program or opened a connection that the allow rule was not meant to allow.",
  counts: { deep: 20_000, quick: 200 },
  run: (options) => runShellPolicy(options),
};
