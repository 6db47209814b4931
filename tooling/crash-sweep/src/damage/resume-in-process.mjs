// @ts-check
import { EngineError } from "@switchyard/contracts";
import { resumeSession } from "@switchyard/runner";
import { attemptOf, RUN_ID } from "../driver/run-case.mjs";
import { answerTo } from "../scenario/scenario.mjs";
import { createCrashPoints } from "../worker/crash-points.mjs";
import { sessionOptions } from "../worker/session-options.mjs";
import { delegate } from "../worker/traced-store.mjs";

/** @import { Engine, ExecutionEnvironment, RunStore, SessionHandle } from "@switchyard/contracts" */
/** @import { CaseFolder } from "../driver/case-folder.mjs" */
/** @import { BrokerPlace } from "../worker/attempt.mjs" */

/**
 * Outcome of a resume. `refused`: it was rejected, or its session could not be opened.
 * @typedef {object} ResumeOutcome
 * @property {"completed" | "refused" | "failed"} kind
 * @property {string | undefined} [code] Code of the error. A name and a message if the error has no code.
 * @property {boolean} beganAfresh True if the engine was started without a checkpoint.
 * @property {boolean} hasUnknownOutcome True if the model was told that the outcome of a call is unknown.
 */

/** @typedef {(store: RunStore) => RunStore} StoreWrapper */

/** Lease duration of a writer without heartbeats, in milliseconds. */
const LEASE_MS = 400;
/** Duration after which a resume counts as hung, in milliseconds. */
const PATIENCE_MS = 60_000;

/**
 * Resumes a run in this process, without boundaries.
 * @param {CaseFolder} folder
 * @param {{ broker?: BrokerPlace | undefined, wrapStore: StoreWrapper }} options
 * @returns {Promise<ResumeOutcome>}
 */
export async function resumeInProcess(folder, { broker, wrapStore }) {
  const oracle = { note: () => {}, close: () => {} };
  const attempt = { ...attemptOf(folder, true), broker, leaseMs: LEASE_MS };
  const seen = { beganAfresh: false, hasUnknownOutcome: false };
  /** @type {RunStore | undefined} */
  let store;
  /** @type {ExecutionEnvironment | undefined} */
  let environment;
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(new Error("it took longer than a minute")), PATIENCE_MS);
  try {
    const options = await sessionOptions(attempt, oracle, createCrashPoints(oracle, undefined));
    ({ store, environment } = options);
    const handle = await resumeSession(RUN_ID, {
      ...options,
      engine: watchedEngine(options.engine, seen),
      store: wrapStore(store),
      signal: patience.signal,
      reason: "crash",
    });
    const { status, error, result } = await follow(handle);
    seen.hasUnknownOutcome = JSON.stringify(result?.transcript ?? []).includes("unknown_outcome");
    const isHung = patience.signal.aborted;
    return { kind: status === "completed" ? "completed" : "failed", code: isHung ? "hung" : error?.code, ...seen };
  } catch (error) {
    return { kind: "refused", code: codeOrText(error), ...seen };
  } finally {
    clearTimeout(timer);
    await environment?.[Symbol.asyncDispose]();
    await store?.close().catch(() => undefined);
  }
}

/**
 * @param {Engine} engine
 * @param {{ beganAfresh: boolean }} seen
 * @returns {Engine}
 */
function watchedEngine(engine, seen) {
  return delegate(engine, {
    execute: (run, host, board) => {
      if (run.resumeFrom === undefined) seen.beganAfresh = true;
      return engine.execute(run, host, board);
    },
  });
}

/**
 * @param {SessionHandle} handle
 * @returns {SessionHandle["result"]}
 */
async function follow(handle) {
  for await (const event of handle.events(handle.startSeq)) {
    if (event.type !== "user_prompted") continue;
    const { prompt_id: promptId, parts } = event.payload;
    const question = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(" ");
    handle.answer(promptId, { parts: [{ type: "text", text: answerTo(question) }] });
  }
  return handle.result;
}

/**
 * @param {unknown} error
 * @returns {string}
 */
function codeOrText(error) {
  return EngineError.is(error) ? error.code : String(error);
}
