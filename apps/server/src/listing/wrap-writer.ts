import type { RunWriter } from "@switchyard/contracts";

/** Members of a writer that a wrapper replaces. */
type ReplacedMembers = Partial<Pick<RunWriter, "request" | "append" | "save" | "update" | "finish" | "release">>;

/** Wraps a writer so that some of its members are replaced. */
export function wrapWriter(writer: RunWriter, replaced: ReplacedMembers): RunWriter {
  const { runId, epoch, folder, checkpointsAt, request, isNew, signal } = writer;
  return {
    ...{ runId, epoch, folder, request, isNew, signal },
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
