import { appendFile, readFile, rm, stat } from "node:fs/promises";
import { EngineError, fileProblem } from "@switchyard/contracts";
import { type FanOutRecord, type FanOutRun, parseFanOutRecords } from "@switchyard/runtimes";
import { writeJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { readJson } from "../input/read-json.ts";

/** The file that keeps a run, with a journal beside it for the records since it was written last. */
export interface RunFile {
  /** Records of an earlier call; none when there was none. */
  readonly records: readonly FanOutRecord[];
  /** Writes the whole run. */
  save(run: FanOutRun): Promise<void>;
  /** Adds a record to the journal; a device or a pipe has none. */
  readonly keep?: ((record: FanOutRecord) => Promise<void>) | undefined;
}

/** Opens the file of a run. Rejects with `input.*` where it holds something else, and `output.unwritable`. */
export async function openRunFile(context: CommandContext, file: string): Promise<RunFile> {
  const journal = `${file}.journal`;
  const saved = await readSaved(context, file);
  // Without the run that it belongs to, a journal says nothing.
  const records = saved === undefined ? [] : [...saved, ...(await readJournal(journal, file))];
  let isBegun = false;
  return {
    records,
    save: async (run) => {
      await writeJson(file, run);
      // The first time it holds all that was read, a torn line of the journal aside; later, records come in meanwhile.
      if (!isBegun || run.status !== "incomplete") await rm(journal, { force: true });
      isBegun = true;
    },
    ...((await isFile(file)) ? { keep: (record) => append(journal, record) } : {}),
  };
}

/** Whether it is a file, or will be one. */
async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => true,
  );
}

async function append(journal: string, record: FanOutRecord): Promise<void> {
  try {
    await appendFile(journal, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  } catch (cause) {
    throw new EngineError("output.unwritable", { path: journal, problem: fileProblem(cause) }, { cause });
  }
}

async function readSaved(context: CommandContext, file: string): Promise<readonly FanOutRecord[] | undefined> {
  try {
    return parseFanOutRecords(await readJson(context, file), file);
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (fileProblem(cause) === "it does not exist") return undefined;
    throw error;
  }
}

/** Whole lines only: the last one may be torn, and its task is done again. */
async function readJournal(journal: string, file: string): Promise<readonly FanOutRecord[]> {
  const text = await readFile(journal, "utf8").catch((cause: unknown) => {
    if (fileProblem(cause) === "it does not exist") return "";
    throw new EngineError("input.unreadable", { path: journal, problem: fileProblem(cause) }, { cause });
  });
  const records = text.split("\n").slice(0, -1).flatMap(parseLine);
  return parseFanOutRecords({ orchestrator: {}, records }, `${file}.journal`);
}

function parseLine(line: string): unknown[] {
  try {
    const value: unknown = JSON.parse(line);
    return [value];
  } catch {
    return [];
  }
}
