// @ts-check
import { RESUMABLE_RUN_STATUSES } from "@switchyard/contracts";
import { digestOfCheckpoint } from "../history/checkpoint-digest.mjs";
import { openReadingStore } from "../variants/variants.mjs";
import { leftProcesses } from "../worker/left-processes.mjs";
import { appendMoment } from "../worker/oracle.mjs";
import { codeOf } from "../worker/traced-store.mjs";
import { readWorkspace } from "./case-folder.mjs";
import { conversationsOnBoard } from "./conversations-on-board.mjs";

/** @import { Envelope, RunStore } from "@switchyard/contracts" */
/** @import { FinalState } from "../history/history.mjs" */
/** @import { CaseFolder } from "./case-folder.mjs" */

/**
 * Returns what another process can observe of the run. Called between attempts, with the correct store regardless of
 * the workers' variant.
 * @param {CaseFolder} folder
 * @param {string} runId
 * @returns {Promise<{ isOver: boolean, isListed: boolean }>}
 */
export async function observe(folder, runId) {
  const store = await openReadingStore(folder);
  /** @type {string[]} */
  const problems = [];
  const listed = (await store.list()).find((run) => run.runId === runId);
  if (listed !== undefined && "problem" in listed) problems.push(`list: ${listed.problem.code}`);
  const record = listed !== undefined && "record" in listed ? listed.record : undefined;
  const digest = listed === undefined ? null : await loadDigest(store, runId, problems);
  const events = listed === undefined ? [] : await readEvents(store, runId, problems);
  await store.close();
  appendMoment(folder.oracle, process.pid, {
    at: "observed",
    listed: listed !== undefined,
    ...(record === undefined ? {} : { status: record.status, isResumable: isResumable(record.status) }),
    ...(record?.finished_at === undefined ? {} : { finishedAt: record.finished_at }),
    digest,
    problems,
    ids: events.map(({ id }) => id),
  });
  const isOver = record !== undefined && !isResumable(record.status);
  if (isOver) {
    const commands = leftProcesses(folder.ledger).map(({ command }) => command);
    appendMoment(folder.oracle, process.pid, { at: "left", commands });
  }
  return { isOver, isListed: listed !== undefined };
}

/**
 * Returns the final state of a finished run. `undefined` if it cannot be read.
 * @param {CaseFolder} folder
 * @param {string} runId
 * @returns {Promise<FinalState | undefined>}
 */
export async function readFinalState(folder, runId) {
  const store = await openReadingStore(folder);
  try {
    const { record, report } = await store.show(runId);
    if (record === undefined || report === undefined || isResumable(record.status)) return undefined;
    /** @type {string[]} */
    const problems = [];
    const events = await readEvents(store, runId, problems);
    if (problems.length > 0) return undefined;
    const members = conversationsOnBoard((await store.load(runId))?.board);
    return { record, report, events, workspace: readWorkspace(folder.workspace), members };
  } catch {
    return undefined;
  } finally {
    await store.close();
  }
}

/**
 * @param {RunStore} store
 * @param {string} runId
 * @param {string[]} problems
 * @returns {Promise<string | null>}
 */
async function loadDigest(store, runId, problems) {
  try {
    const checkpoint = await store.load(runId);
    return checkpoint === undefined ? null : digestOfCheckpoint(checkpoint);
  } catch (error) {
    problems.push(`load: ${codeOf(error)}`);
    return null;
  }
}

/**
 * @param {RunStore} store
 * @param {string} runId
 * @param {string[]} problems
 * @returns {Promise<Envelope[]>}
 */
async function readEvents(store, runId, problems) {
  /** @type {Envelope[]} */
  const events = [];
  try {
    for await (const event of store.events(runId)) events.push(event);
  } catch (error) {
    problems.push(`events: ${codeOf(error)}`);
  }
  return events;
}

/**
 * @param {string} status
 * @returns {boolean}
 */
function isResumable(status) {
  return RESUMABLE_RUN_STATUSES.some((candidate) => candidate === status);
}
