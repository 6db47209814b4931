import { posix } from "node:path";
import {
  type DroppedArtifact,
  EngineError,
  type ExecutionEnvironment,
  type SessionArtifacts,
  type SessionResult,
} from "@switchyard/contracts";
import type { Call } from "../transport/transport.ts";
import { maskExcerpt } from "./mask-excerpt.ts";

/**
 * Removes artifacts that a result must not declare, and adds a warning for each: paths outside the workspace, paths of
 * framework files, paths of another machine, and URLs that contain the API key. When the remaining artifacts are copied
 * to the run's archive, their paths are checked again. See custom-engine: workspace confinement, artifacts contract.
 */
export async function confineArtifacts(
  result: SessionResult,
  call: Call,
  engineFiles: readonly string[],
): Promise<ConfinedResult> {
  const { artifacts } = result;
  const dropped: DroppedArtifact[] = [];
  if (artifacts === undefined) return { result, dropped };
  const { files, generated_files: generated, ...texts } = artifacts;
  const rules = { call, engineFiles: new Set(engineFiles), dropped };
  const confined: SessionArtifacts = { ...texts };
  if (files !== undefined) {
    const locations = files.map(({ name, path, url }, index) => ({
      name,
      path,
      url,
      field: `artifacts.files[${index}]`,
    }));
    confined.files = await kept(files, locations, rules);
  }
  if (generated !== undefined) {
    const locations = generated.map((path, index) => ({
      name: path,
      path,
      field: `artifacts.generated_files[${index}]`,
    }));
    confined.generated_files = await kept(generated, locations, rules);
  }
  return { result: { ...result, artifacts: confined }, dropped };
}

interface ArtifactLocation {
  readonly name: string;
  readonly field: string;
  readonly path?: string | undefined;
  readonly url?: string | undefined;
}

/** A result without forbidden artifacts, and the list of the artifacts that were removed. */
export interface ConfinedResult {
  readonly result: SessionResult;
  readonly dropped: DroppedArtifact[];
}

interface Rules {
  readonly dropped: DroppedArtifact[];
  readonly call: Call;
  readonly engineFiles: ReadonlySet<string>;
}

/** Maximum number of declared artifacts that are checked. The run's archive stores no more. */
const MAX_ENTRIES = 10_000;
/** Maximum number of removed artifacts that are reported individually. Further ones are only counted. */
const MAX_REPORTED = 100;
/** Number of artifacts that are checked concurrently. */
const CONCURRENCY = 32;

async function kept<T>(items: readonly T[], locations: readonly ArtifactLocation[], rules: Rules): Promise<T[]> {
  const { listener } = rules.call;
  const allowed: T[] = [];
  let warned = 0;
  for (let start = 0; start < Math.min(items.length, MAX_ENTRIES); start += CONCURRENCY) {
    const some = locations.slice(start, Math.min(start + CONCURRENCY, MAX_ENTRIES));
    const problems = await Promise.all(some.map((location) => problemOf(location, rules)));
    for (const [offset, item] of items.slice(start, start + some.length).entries()) {
      const problem = problems[offset];
      if (problem === undefined) allowed.push(item);
      else if (warned < MAX_REPORTED) warn(some[offset], problem, rules);
      if (problem !== undefined) warned += 1;
    }
  }
  if (warned > MAX_REPORTED)
    listener.notify("artifact_dropped", `${warned - MAX_REPORTED} more artifacts were dropped for such reasons`);
  if (items.length > MAX_ENTRIES) {
    listener.notify(
      "artifact_dropped",
      `${items.length - MAX_ENTRIES} more artifacts: only ${MAX_ENTRIES} are looked at`,
    );
  }
  return allowed;
}

function warn(location: ArtifactLocation | undefined, problem: string, { call, dropped }: Rules): void {
  if (location === undefined) return;
  const reason = `${location.field}: ${problem}`;
  dropped.push({ name: call.masker.mask(location.name.slice(0, 200)), dropped: reason });
  call.listener.notify("artifact_dropped", reason);
}

async function problemOf({ path, url }: ArtifactLocation, { call, engineFiles }: Rules): Promise<string | undefined> {
  if (url !== undefined) {
    if (call.masker.mask(url) !== url) return "its url embeds the API key; skipping download";
    if (!/^https?:\/\//iu.test(url)) return "its url is not http(s)";
  }
  if (path === undefined || path === "") return undefined;
  const shown = maskExcerpt(path, 200, call.masker);
  const { environment, config } = call;
  const isAbsolute = path.startsWith("/") || /^[A-Za-z]:[\\/]/u.test(path);
  if (isAbsolute && config.transport.transport !== "local") {
    return `path "${shown}" is one of another machine; name it relative to the workspace, or declare a url or a content`;
  }
  const absolute = posix.normalize(isAbsolute ? path : `${environment.workingDirectory}/${path}`);
  if (engineFiles.has(absolute)) return `path "${shown}" is a file of the call itself`;
  return (await isOutside(path, environment)) ? `path "${shown}" escapes the runtime workspace` : undefined;
}

/**
 * Returns true if a path, or its deepest existing parent, is outside the workspace. The parent is checked because the
 * file may be created later, behind a link that leads outside. Missing or unreadable files are reported later, when the
 * artifacts are copied to the archive.
 */
async function isOutside(path: string, environment: ExecutionEnvironment): Promise<boolean> {
  const found = await relationOf(path, environment);
  if (found !== "missing") return found === "outside";
  const root = `${environment.workingDirectory}/`;
  const steps = (path.startsWith(root) ? path.slice(root.length) : path).split("/");
  if (steps[0] === "") return false;
  // Folders are checked from the top down, because nothing exists below a missing folder.
  for (let count = 1; count < steps.length; count += 1) {
    const parent = await relationOf(steps.slice(0, count).join("/"), environment);
    if (parent !== "inside") return parent === "outside";
  }
  return false;
}

async function relationOf(path: string, environment: ExecutionEnvironment): Promise<"inside" | "outside" | "missing"> {
  try {
    await environment.stat(path);
    return "inside";
  } catch (error) {
    if (EngineError.is(error, "environment.path_outside_workspace")) return "outside";
    return EngineError.is(error, "environment.file_not_found") ? "missing" : "inside";
  }
}
