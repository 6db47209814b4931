// @ts-check
// One process, one attempt: `node worker.mjs ATTEMPT.json` starts or resumes the run and records the promises it
// received.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { argv } from "node:process";
import { resumeSession, startSession } from "@switchyard/runner";
import { answerTo, SCENARIOS } from "../scenario/scenario.mjs";
import { scenarioOf } from "../variants/variants.mjs";
import { EXIT } from "./attempt.mjs";
import { createCrashPoints } from "./crash-points.mjs";
import { openOracle } from "./oracle.mjs";
import { sessionOptions } from "./session-options.mjs";
import { codeOf } from "./traced-store.mjs";

/** @import { Envelope, RunStore, SessionHandle } from "@switchyard/contracts" */
/** @import { Attempt } from "./attempt.mjs" */
/** @import { CrashPoints } from "./crash-points.mjs" */
/** @import { Oracle } from "./oracle.mjs" */

/** Delay of the user's answer, in milliseconds, during which other agents continue. */
const THINKING_MS = 20;

/** @type {Attempt} */
const attempt = JSON.parse(readFileSync(argv[2] ?? "", "utf8"));
void work();

/** @returns {Promise<void>} */
async function work() {
  // The exit code of a process whose work never finishes.
  process.exitCode = 13;
  const oracle = openOracle(attempt.oracle);
  const points = createCrashPoints(oracle, attempt.strike);
  const opened = await openSession(attempt, oracle, points);
  process.exitCode = opened.handle === undefined ? EXIT.lockedOut : await follow(opened.handle, oracle, points);
  // An open broker connection would keep the process alive.
  if (attempt.broker !== undefined) await opened.store.close();
  if (attempt.labels !== undefined) writeFileSync(attempt.labels, JSON.stringify(points.labels));
}

/**
 * Starts or resumes the run. Returns no handle if another process has it, or it is over.
 * @param {Attempt} attempt
 * @param {Oracle} oracle
 * @param {CrashPoints} points
 * @returns {Promise<{ store: RunStore, handle?: SessionHandle }>}
 */
async function openSession(attempt, oracle, points) {
  const options = await sessionOptions(attempt, oracle, points);
  const { store } = options;
  if (attempt.barrier !== undefined) waitFor(attempt.barrier, oracle);
  try {
    if (attempt.resumes) {
      const resuming = { ...options, takeOver: attempt.takesOver, reason: "crash" };
      return { store, handle: await resumeSession(attempt.runId, resuming) };
    }
    const input = {
      messages: [{ role: /** @type {const} */ ("user"), content: SCENARIOS[scenarioOf(attempt.variant)].task }],
    };
    const handle = await startSession(input, { ...options, runId: attempt.runId });
    oracle.note({ at: "accepted", runId: handle.runId });
    return { store, handle };
  } catch (error) {
    oracle.note({ at: "locked_out", code: codeOf(error) });
    return { store };
  }
}

/**
 * Waits in a busy loop, so that two processes continue at the same moment.
 * @param {string} barrier
 * @param {Oracle} oracle
 * @returns {void}
 */
function waitFor(barrier, oracle) {
  oracle.note({ at: "ready" });
  while (!existsSync(barrier));
}

/**
 * @param {SessionHandle} handle
 * @param {Oracle} oracle
 * @param {CrashPoints} points
 * @returns {Promise<number>}
 */
async function follow(handle, oracle, points) {
  for await (const event of handle.events()) {
    const { seq, id } = event;
    if (seq === undefined) continue;
    oracle.note({ at: "seen", seq, id });
    if (event.type === "user_prompted" && seq > handle.startSeq) answer(event, { handle, oracle, points });
  }
  const { status, error } = await handle.result;
  oracle.note({ at: "told", status, code: error?.code, problem: error?.message });
  return status === "completed" ? EXIT.done : EXIT.failed;
}

/**
 * Answers a question after a delay, like a person.
 * @param {Extract<Envelope, { type: "user_prompted" }>} event
 * @param {{ handle: SessionHandle, oracle: Oracle, points: CrashPoints }} session
 * @returns {void}
 */
function answer({ payload: { prompt_id: promptId, parts } }, { handle, oracle, points }) {
  oracle.note({ at: "asked", promptId });
  points.pass("question asked");
  const question = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(" ");
  setTimeout(() => {
    points.pass("question pending");
    handle.answer(promptId, { parts: [{ type: "text", text: answerTo(question) }] });
    points.pass("question answered");
  }, THINKING_MS);
}
