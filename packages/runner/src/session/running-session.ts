import { DEPENDENCY, type RunRecord } from "@switchyard/contracts";
import { createEventJournal, type EventJournal } from "../host/event-journal.ts";
import { createRunEvents, type RunEvents } from "../host/run-events.ts";
import { createSessionHost } from "../host/session-host.ts";
import { createUsageMeter, type UsageMeter } from "../host/usage-meter.ts";
import { createUserQuestions, type UserQuestions } from "../host/user-questions.ts";
import type { AppendFile } from "../run-store/append-file.ts";
import { createRecordingFile, type RecordingFile } from "../run-store/recording-file.ts";
import type { AcceptedRun, RunFolder } from "../run-store/run-folder.ts";
import { createRunStatusKeeper, type RunStatusKeeper } from "../run-store/run-status-keeper.ts";
import type { SessionPlan } from "./session-plan.ts";
import { createStopControl, type StopControl } from "./stop-control.ts";

/** Time an engine has to heed an interrupt, in milliseconds, unless the host says otherwise. */
const INTERRUPT_GRACE_MS = 10_000;
/** Time an engine has to stop when it is cancelled, in milliseconds, unless the host says otherwise. */
const CANCEL_GRACE_MS = 5_000;

/** Everything that belongs to one accepted run. */
export interface RunningSession {
  plan: SessionPlan;
  folder: RunFolder;
  eventsFile: AppendFile;
  journal: EventJournal;
  events: RunEvents;
  usage: UsageMeter;
  questions: UserQuestions;
  stop: StopControl;
  status: RunStatusKeeper;
  recording: RecordingFile;
}

/** Puts together what an accepted run needs, and binds its host. architecture: flow 5. */
export function createRunningSession(plan: SessionPlan, accepted: AcceptedRun, record: RunRecord): RunningSession {
  const { runId, options, masker, now, createId } = plan;
  const stop = createStopControl({
    timer: plan.timer,
    interruptGraceMs: options.interruptGraceMs ?? INTERRUPT_GRACE_MS,
    cancelGraceMs: options.cancelGraceMs ?? CANCEL_GRACE_MS,
  });
  const journal = createEventJournal({
    file: accepted.events,
    observer: options.observer,
    onFailure: (error) => stop.stop("store_failed", error),
  });
  const usage = createUsageMeter();
  const events = createRunEvents({
    ...{ runId, journal, masker, now, createId },
    attempt: record.attempt,
    onUsage: (payload) => usage.addEvent(payload.usage, payload.response_id),
  });
  const status = createRunStatusKeeper(accepted.folder, record);
  const questions = createUserQuestions({
    ...{ events, createId },
    isAnswerable: options.isAnswerable ?? false,
    prompter: options.userPrompter,
    interrupts: stop.interrupts,
    signal: stop.signal,
    onWaiting: async (isWaiting) => {
      const next = isWaiting ? "awaiting_input" : "running";
      if (status.record.status === next) return;
      await status.set(next);
      await events.report("run_status_changed", { status: next });
    },
  });
  const recording = createRecordingFile(accepted.folder.file("recording"), masker);
  plan.deps.set(DEPENDENCY.llmRecorder, recording);
  const checkpoints = options.checkpoints;
  plan.base.bind(createSessionHost({ runId, events, interrupts: stop.interrupts, questions, usage, checkpoints }));
  const { folder, events: eventsFile } = accepted;
  return { plan, folder, eventsFile, journal, events, usage, questions, stop, status, recording };
}
