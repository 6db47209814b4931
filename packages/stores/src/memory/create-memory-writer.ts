import type { Checkpoint, EventText, RunRecord, RunRequest, RunWriter, SessionReport } from "@switchyard/contracts";
import { createCheckpointEncoder } from "../codec/create-checkpoint-encoder.ts";
import { createSerial } from "../codec/create-serial.ts";
import { eventLine, problemOfEvent } from "../codec/event-line.ts";
import { withoutLineEnd } from "../codec/line-bytes.ts";
import { malformedRecord } from "../codec/run-documents.ts";
import { sealDocument } from "../codec/sealed-text.ts";
import { assertEpoch, checkpointOf, eventsOf, type MemoryRun } from "./memory-run.ts";

/** Returns those functions of a run's writer that save and load checkpoints. */
function createCheckpoints(run: MemoryRun, epoch: number): Pick<RunWriter, "save" | "load"> {
  const encoder = createCheckpointEncoder(run.runId);
  const inOrder = createSerial();
  let isBegun = false;

  async function save(checkpoint: Checkpoint): Promise<void> {
    assertEpoch(run, epoch);
    const encoded = await encoder.encode(checkpoint);
    assertEpoch(run, epoch);
    const lines = encoded.lines.map(withoutLineEnd);
    run.checkpoints = encoded.kind === "base" ? lines : [...run.checkpoints, ...lines];
    encoder.accept(encoded);
    isBegun = true;
  }
  async function load(): Promise<Checkpoint | undefined> {
    assertEpoch(run, epoch);
    const decoded = await checkpointOf(run);
    if (decoded !== undefined && !isBegun) encoder.continueFrom(decoded);
    return decoded?.checkpoint;
  }
  return { save: (checkpoint) => inOrder(() => save(checkpoint)), load: () => inOrder(load) };
}

/** State of a run when its in-memory writer starts. */
export interface MemoryWriterParts {
  readonly record: RunRecord;
  readonly request: RunRequest;
  /** Returns the time, in milliseconds since 1970. */
  readonly now: () => number;
}

/** Creates the writer for the current owner of a run. Each new owner has a higher number (epoch). */
export function createMemoryWriter(run: MemoryRun, { record, request, now }: MemoryWriterParts): RunWriter {
  const { runId, epoch, folder } = run;
  const lost = new AbortController();
  const checkpoints = createCheckpoints(run, epoch);
  let stored = record;
  run.onLost = () => lost.abort();

  function write<T>(act: () => T): T {
    assertEpoch(run, epoch);
    run.writtenMs = now();
    return act();
  }
  function store(changes: Partial<RunRecord>): void {
    stored = { ...stored, ...changes, run_id: runId, format: stored.format };
    run.record = sealDocument(stored);
  }
  function append(events: readonly EventText[]): void {
    let seq = run.events.length;
    for (const event of events) {
      const problem = problemOfEvent(event, seq);
      if (problem !== undefined) throw malformedRecord(`memory:${runId}/events.jsonl`, problem);
      seq = event.seq;
    }
    run.events.push(...events.map((event) => eventLine(event).trimEnd()));
  }
  function release(): void {
    if (run.isHeld && run.epoch === epoch) run.isHeld = false;
  }
  return {
    runId,
    epoch,
    folder,
    request,
    signal: lost.signal,
    ...checkpoints,
    get record() {
      return stored;
    },
    get lastSeq() {
      return run.events.length;
    },
    append: async (events) => write(() => append(events)),
    events: (afterSeq = 0) => eventsOf(run, afterSeq),
    update: async (changes) => write(() => store(changes)),
    finish: async (report: SessionReport, changes) => {
      write(() => {
        run.report = sealDocument(report);
        store(changes);
      });
      release();
    },
    release: async () => release(),
  };
}
