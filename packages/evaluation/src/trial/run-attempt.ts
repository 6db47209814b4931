import { cp, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  type Engine,
  type ExecutionEnvironment,
  messageOf,
  type SessionHandle,
  type SessionInput,
  type SessionMessage,
  type SessionReport,
  toEngineError,
} from "@switchyard/contracts";
import { createRunId, sessionMasker, startSession } from "@switchyard/runner";
import type { Masker } from "@switchyard/secrets";
import { createConversationEngine, type SimulatedUserModel } from "../conversation/create-conversation-engine.ts";
import { turnMessages } from "../conversation/merge-turn.ts";
import type { TurnRecord } from "../conversation/turn-record.ts";
import { FOLDER_MODE } from "../files/file-modes.ts";
import { systemCodeOf } from "../files/store-failure.ts";
import { reportingUsage } from "../model/ask-model.ts";
import type { TrialUsage } from "../results/trial-result.ts";
import { sumUsage, usageOfReport } from "../results/usage.ts";
import { closeEngines } from "../run/open-engines.ts";
import { collectFiles } from "../setup/collect-files.ts";
import { setUpWorkspace } from "../setup/set-up-workspace.ts";
import { writeMcpConfig } from "../setup/write-mcp-config.ts";
import { toMcpServers } from "../simulated-server/simulated-mcp-server.ts";
import type { EvalCase } from "../suite/eval-suite.ts";
import { assessSession } from "./assess-session.ts";
import { type Attempt, type AttemptParts, COLLECTED, type TrialEnvironment, WORKSPACES } from "./attempt.ts";
import type { AttemptContext } from "./attempt-context.ts";
import { claimFolder } from "./claimed-folder.ts";
import { openTrialEnvironment } from "./open-trial-environment.ts";
import { isCopyable, prepareWorkspace } from "./prepare-workspace.ts";
import type { Trial } from "./trial.ts";

/**
 * Runs one attempt: prepares a new workspace, opens the environment, runs a session and checks the assertions. Never
 * rejects: every failure becomes an `ERROR`, or `SKIPPED` if the evaluation was stopped. See custom-engine: error
 * handling.
 */
export async function runAttempt(trial: Trial, context: AttemptContext): Promise<Attempt> {
  const runId = createRunId(context.now());
  const folder = join(context.workspaces, runId);
  const secrets = [...context.secrets, ...(trial.engine.secrets ?? [])];
  const masker = sessionMasker({ engine: trial.engine.engine, secrets });
  await using _ = await claimFolder(folder);
  let attempt: Attempt;
  try {
    const files = [...trial.case.files, ...trial.variant.files];
    await prepareWorkspace(folder, { template: trial.case.workspace, files });
    if (trial.engine.readsMcpFile === true && trial.case.mcpServers !== undefined)
      await writeMcpConfig(folder, trial.case.mcpServers);
    attempt = await runIn({ trial, context, runId, masker, secrets, folder });
  } catch (error) {
    attempt = brokenAttempt(error, masker, context);
  }
  // The workspace folder of a Harbor task is never retained, because the files of the task are in its container.
  const keep = trial.case.task === undefined ? context.keepWorkspaces : "none";
  return cleanUp(folder, runId, { attempt, context: { ...context, keepWorkspaces: keep } });
}

async function runIn(parts: AttemptParts): Promise<Attempt> {
  const opened = await openTrialEnvironment(parts);
  const { value, error } = await settle(() => runWith(opened, parts));
  const left = await settle(async () => opened[Symbol.asyncDispose]());
  const attempt = value ?? brokenAttempt(error, parts.masker, parts.context);
  const warnings = [...attempt.warnings, ...[...opened.refusals].map((message) => parts.masker.mask(message))];
  if (left.error !== undefined) {
    warnings.push(`The environment could not be closed: ${parts.masker.mask(messageOf(left.error))}`);
  }
  return { ...attempt, warnings };
}

async function settle<T>(action: () => Promise<T>): Promise<{ value?: T; error?: unknown }> {
  try {
    return { value: await action() };
  } catch (error) {
    return { error };
  }
}

async function runWith({ environment, container, requests }: TrialEnvironment, parts: AttemptParts): Promise<Attempt> {
  const { trial, context, runId, secrets, folder } = parts;
  const { signal, suiteEnvironment, timer } = context;
  await setUpWorkspace(environment, { case: trial.case, suiteEnvironment, signal });
  await using equipped = await equip(trial);
  const records: TurnRecord[] = [];
  const simulated: TrialUsage[] = [];
  const simulatedUser = withUsage(context.simulatedUser, (used) => {
    simulated.push(used);
    context.budget.spend(used);
  });
  const options = { case: trial.case, records, simulatedUser, timer };
  const engine = trial.case.turns === undefined ? equipped.engine : createConversationEngine(equipped.engine, options);
  const handle = await startSession(toInput(trial, context), {
    ...{ runId, environment, secrets, stateDirectory: context.output, model: trial.engine.model },
    ...{ engine, engineName: trial.engine.name, budget: context.budget.forSession() },
    ...{ openSharedBudget: context.openSharedBudget, networkRequests: requests },
    observer: context.observe?.({ engine: trial.engine.name, model: trial.engine.model }),
    ...{ signal, createdBy: context.createdBy, now: context.now, timer },
    attributes: {
      "eval.name": context.name,
      "eval.engine": trial.engine.id,
      "eval.iteration": String(trial.iteration),
    },
  });
  const report = await untilOver(handle, context.interrupt);
  const usage = usageOfReport(report);
  context.budget.spend(usage);
  const turns = trial.case.turns === undefined ? [singleTurn(trial, report)] : parts.masker.maskData(records);
  const { collected, warnings } = await collect(environment, trial, report);
  const judged = await assessSession(report, { ...parts, folder, environment, container, turns });
  const simulatedUserUsage = simulated.length === 0 ? undefined : sumUsage(simulated);
  const problems = [...warnings, ...(judged.warnings ?? [])];
  const used = { usage, simulatedUserUsage };
  return { runId, report, error: report.error, turns, collected, ...judged, ...used, warnings: problems };
}

/** Reports the usage of each message of the simulated user. */
function withUsage(
  user: SimulatedUserModel | undefined,
  onUsed: (usage: TrialUsage) => void,
): SimulatedUserModel | undefined {
  return user === undefined ? undefined : { ...user, ask: reportingUsage(user.ask, onUsed) };
}

/** Opens the engine with the MCP servers of the case. A case without servers uses the engine of the evaluation. */
async function equip({ case: { mcpServers }, engine }: Trial): Promise<{ engine: Engine } & AsyncDisposable> {
  if (mcpServers === undefined || engine.readsMcpFile === true)
    return { engine: engine.engine, [Symbol.asyncDispose]: async () => undefined };
  const own = await engine.equip({ mcpServers: toMcpServers(mcpServers) });
  return { engine: own.engine, [Symbol.asyncDispose]: () => closeEngines([own]) };
}

/** Returns the single turn of a session that has only one prompt. */
function singleTurn({ case: { messages } }: Trial, { result, status }: SessionReport): TurnRecord {
  return {
    content: messages.findLast(({ role }) => role === "user")?.content ?? "",
    response: result?.final_message ?? "",
    transcript: result === undefined ? [] : turnMessages(result),
    status: status === "completed" ? "completed" : "error",
  };
}

/** Copies the files that the case collects to the run folder, whatever the outcome of the session. */
async function collect(
  environment: ExecutionEnvironment,
  { case: { collect: patterns = [] } }: Trial,
  { runFolder }: SessionReport,
): Promise<Pick<Attempt, "collected" | "warnings">> {
  if (runFolder === undefined) return { warnings: [] };
  try {
    return {
      collected: await collectFiles(environment, { patterns, target: join(runFolder, COLLECTED) }),
      warnings: [],
    };
  } catch (error) {
    return { warnings: [`Files of the workspace could not be collected: ${messageOf(error)}`] };
  }
}

function toInput({ case: one, variant }: Trial, { budget }: AttemptContext): SessionInput {
  const kwargs = { ...one.kwargs, ...variant.kwargs };
  return {
    messages: messagesOf(one),
    case_id: one.id,
    ...(variant.name === undefined ? {} : { variant: variant.name }),
    ...(Object.keys(kwargs).length === 0 ? {} : { kwargs }),
    ...(one.maxTurns === undefined || one.limitsUserTurnsOnly === true ? {} : { max_turns: one.maxTurns }),
    timeout_seconds: limitOf(one.timeoutSeconds, budget.remainingSeconds()),
  };
}

/** A conversation begins with its first turn, which the conversation engine replaces with the message it sends. */
function messagesOf({ messages, turns }: EvalCase): SessionMessage[] {
  const [first] = turns ?? [];
  if (first === undefined) return [...messages];
  return [...messages, { role: "user", content: first.content ?? first.respond ?? "" }];
}

/** Returns the smaller of the case's time limit, where 0 means none, and the remaining time of the evaluation. */
function limitOf(ofCase: number, left: number | undefined): number {
  if (left === undefined) return ofCase;
  return ofCase === 0 ? left : Math.min(ofCase, left);
}

async function untilOver(handle: SessionHandle, interrupt: AbortSignal): Promise<SessionReport> {
  const stop = (): void => handle.interrupt({ cause: "user_cancel", detail: "the evaluation was stopped" });
  if (interrupt.aborted) stop();
  else interrupt.addEventListener("abort", stop, { once: true });
  try {
    return await handle.result;
  } finally {
    interrupt.removeEventListener("abort", stop);
  }
}

function brokenAttempt(error: unknown, masker: Masker, { interrupt, signal }: AttemptContext): Attempt {
  const wire = masker.maskData(toEngineError(error).toWire());
  const isStopped = interrupt.aborted || signal.aborted;
  const outcome = isStopped ? ("SKIPPED" as const) : ("ERROR" as const);
  return { outcome, reason: wire.message, error: wire, assertions: [], usage: {}, warnings: [] };
}

interface CleanUp {
  attempt: Attempt;
  context: AttemptContext;
}

/** Moves the workspace of an ended attempt below the output folder, or deletes it. */
async function cleanUp(folder: string, name: string, { attempt, context }: CleanUp): Promise<Attempt> {
  const { keepWorkspaces: keep, output } = context;
  const isKept = keep === "all" || (keep === "failed" && (attempt.outcome === "FAIL" || attempt.outcome === "ERROR"));
  try {
    if (!isKept) await rm(folder, { recursive: true, force: true });
    else await move(folder, join(output, WORKSPACES, name));
    return isKept ? { ...attempt, workspace: name } : attempt;
  } catch (error) {
    // Removal may fail, for example because a container wrote files as another user.
    const warning = `The workspace ${folder} could not be ${isKept ? "kept" : "removed"}: ${messageOf(error)}`;
    return { ...attempt, warnings: [...attempt.warnings, warning] };
  }
}

async function move(from: string, to: string): Promise<void> {
  if (from === to) return;
  await mkdir(dirname(to), { recursive: true, mode: FOLDER_MODE });
  try {
    await rename(from, to);
  } catch (error) {
    if (systemCodeOf(error) !== "EXDEV") throw error;
    await cp(from, to, { recursive: true, verbatimSymlinks: true, filter: isCopyable });
    await rm(from, { recursive: true, force: true });
  }
}
