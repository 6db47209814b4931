import type { RunWriter } from "@switchyard/contracts";

/** Methods of a writer that a wrapper replaces. */
type ReplacedMethods = Partial<Pick<RunWriter, "save" | "update" | "finish" | "release">>;

/** Wraps a writer so that some of its methods are replaced. */
export function wrapWriter(writer: RunWriter, replaced: ReplacedMethods): RunWriter {
  const { runId, epoch, folder, checkpointsAt, request, signal } = writer;
  return {
    ...{ runId, epoch, folder, request, signal },
    ...(checkpointsAt === undefined ? {} : { checkpointsAt }),
    get record() {
      return writer.record;
    },
    get lastSeq() {
      return writer.lastSeq;
    },
    append: (events) => writer.append(events),
    events: (afterSeq) => writer.events(afterSeq),
    save: (checkpoint) => writer.save(checkpoint),
    load: () => writer.load(),
    update: (changes) => writer.update(changes),
    finish: (report, changes) => writer.finish(report, changes),
    release: () => writer.release(),
    ...replaced,
  };
}
