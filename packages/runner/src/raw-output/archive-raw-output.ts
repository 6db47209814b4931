import { copyFile, link, mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { type ArchivedArtifact, messageOf } from "@switchyard/contracts";
import { FOLDER_MODE, RUN_FILES } from "../run-files/run-files.ts";
import type { RunningSession } from "../session/running-session.ts";
import { RAW_PREFIX } from "./raw-output.ts";

/** Name of the artifact folder that contains the raw output of the engine's processes. */
const FOLDER = "raw-output";

/** Adds the raw process output of all attempts to the artifacts of the run, if the caller requested it. */
export async function archiveRawOutput({
  rawOutput,
  writer,
  events,
  loss,
}: RunningSession): Promise<ArchivedArtifact[]> {
  if (rawOutput === undefined || loss() !== undefined) return [];
  try {
    await rawOutput.finish();
    return await linkAll(writer.folder);
  } catch (error) {
    await events.warn("raw_output", `The raw output was not stored completely: ${messageOf(error)}`);
    return [];
  }
}

/** Links the files instead of copying them, because they may be large. */
async function linkAll(runFolder: string): Promise<ArchivedArtifact[]> {
  const outputs = join(runFolder, RUN_FILES.outputs);
  const target = join(runFolder, RUN_FILES.artifacts, FOLDER);
  const names = (await readdir(outputs).catch(() => [])).filter((name) => name.startsWith(RAW_PREFIX)).sort();
  if (names.length > 0) await mkdir(target, { recursive: true, mode: FOLDER_MODE });
  const archived: ArchivedArtifact[] = [];
  for (const name of names) {
    const [from, to] = [join(outputs, name), join(target, name)];
    await link(from, to).catch(() => copyFile(from, to));
    const { size: bytes } = await stat(to);
    archived.push({ name: `${FOLDER}/${name}`, path: `${FOLDER}/${name}`, bytes, contentType: "text/plain" });
  }
  return archived;
}
