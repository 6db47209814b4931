import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ExecutionEnvironment } from "@switchyard/contracts";
import { createRunId, type NetworkRequests, startSession } from "@switchyard/runner";
import { usageOfReport } from "../results/usage.ts";
import { setUpWorkspace } from "../setup/set-up-workspace.ts";
import { skillFiles } from "../skill-up/read-skills.ts";
import type { JudgeSkill } from "../suite/eval-suite.ts";
import type { AttemptParts } from "../trial/attempt.ts";
import { claimFolder } from "../trial/claimed-folder.ts";
import type { EvalEngine } from "../trial/eval-engine.ts";
import { openWorkspace } from "../trial/open-workspace.ts";
import { isCopyable, prepareWorkspace } from "../trial/prepare-workspace.ts";
import { agentSkillFolder } from "./agent-skill-folder.ts";
import type { AskModel, EvalPrompt } from "./ask-model.ts";

/** An engine that judges. */
export interface JudgingEngine {
  readonly engine: EvalEngine;
  /** Model reference of the judge. */
  readonly model: string;
  /** Skills that are installed for the judge. */
  readonly skills: readonly JudgeSkill[];
}

/** Folder of the judge's workspace with a copy of the workspace that it judges. */
const WORK = "work";

/**
 * Creates a function that asks an engine, in a separate session. The session has a new workspace, so that the judged
 * agent cannot leave instructions, skills or settings for the judge. If the judged workspace is a folder on this
 * machine, the folder `work` of the new workspace is a copy of it.
 */
export function createEngineAsker(parts: AttemptParts, judge: JudgingEngine): AskModel {
  return async (prompt, signal) => {
    const runId = createRunId(parts.context.now());
    const folder = `${parts.folder}-judge-${runId}`;
    await using _ = await claimFolder(folder);
    try {
      const target = agentSkillFolder(judge.engine.name);
      await prepareWorkspace(folder, { files: judge.skills.flatMap((skill) => skillFiles(skill, target)) });
      const { environment, requests, hasWork } = await openJudgeWorkspace(folder, parts);
      await using opened = environment;
      const { suiteEnvironment } = parts.context;
      // Setup steps run because they may install the engine. Failures are ignored, because steps may need the files of
      // the case, which are missing here.
      await setUpWorkspace(opened, { case: {}, suiteEnvironment, signal }).catch(() => undefined);
      return await ask(withNotes(prompt, judge, hasWork), {
        parts,
        judge,
        environment: opened,
        requests,
        runId,
        signal,
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

async function openJudgeWorkspace(folder: string, { context, folder: judged }: AttemptParts) {
  let hasWork = false;
  const opened = await openWorkspace(folder, context, {
    prepare: async (hostFolder) => {
      await cp(judged, join(hostFolder, WORK), { recursive: true, verbatimSymlinks: true, filter: isCopyable });
      hasWork = true;
    },
  });
  return { ...opened, hasWork };
}

function withNotes({ instructions, question }: EvalPrompt, { skills }: JudgingEngine, hasWork: boolean): EvalPrompt {
  const names = skills.map(({ name }) => name).join(", ");
  const ofSkills = [
    `These skills are installed for you: ${names}. Read them before you decide. They are the authoritative rules: the`,
    "criteria name what you score, and the skills say how. A criterion that is more specific than a skill wins.",
  ];
  const ofWork = [
    `The folder ${WORK} is a copy of the workspace that the agent left. You may read it, as evidence. Change nothing.`,
  ];
  const notes = [...(skills.length === 0 ? [] : ofSkills), ...(hasWork ? ofWork : [])];
  return { instructions: [instructions, ...(notes.length === 0 ? [] : ["", ...notes])].join("\n"), question };
}

interface Asked {
  readonly parts: AttemptParts;
  readonly judge: JudgingEngine;
  readonly environment: ExecutionEnvironment;
  readonly requests: NetworkRequests | undefined;
  readonly runId: string;
  readonly signal: AbortSignal;
}

async function ask({ instructions, question }: EvalPrompt, asked: Asked): ReturnType<AskModel> {
  const { parts, judge, environment, requests, runId, signal } = asked;
  const { trial, context, secrets } = parts;
  const messages = [{ role: "user" as const, content: `${instructions}\n\n${question}` }];
  const handle = await startSession(
    { messages, case_id: trial.case.id, model: judge.model },
    {
      ...{ runId, environment, networkRequests: requests, stateDirectory: context.output, signal },
      secrets: [...secrets, ...(judge.engine.secrets ?? [])],
      engine: judge.engine.engine,
      engineName: judge.engine.name,
      openSharedBudget: context.openSharedBudget,
      workspaceDiff: false,
      createdBy: context.createdBy,
      now: context.now,
      timer: context.timer,
      attributes: { "eval.name": context.name, "eval.engine": trial.engine.id, "eval.judge": judge.model },
    },
  );
  const { status, result, error, usage } = await handle.result;
  if (status !== "completed" || result === undefined)
    throw new Error(error?.message ?? `the engine of the judge ended with the status ${status}`);
  return { text: result.final_message, usage: usageOfReport({ usage, result }) };
}
