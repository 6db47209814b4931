import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import {
  type Field,
  type FieldsByName,
  fail,
  isAbsent,
  readAmount,
  readList,
  readMap,
  readText,
  readTexts,
} from "../suite/field.ts";
import { digestFolder } from "./digest-folder.ts";
import type { HarborImage, HarborPhase, HarborTask, HarborVariables } from "./harbor-task.ts";

const ENVIRONMENT = [
  ...["build_timeout_sec", "docker_image", "cpus", "memory_mb", "storage_mb", "memory", "storage", "env", "workdir"],
  ...["network_mode", "allowed_hosts", "allow_internet", "os", "gpus", "gpu_types", "tpu", "healthcheck"],
  ...["mcp_servers", "skills_dir"],
];
const AGENT = ["timeout_sec", "user", "env", "network_mode", "allowed_hosts"];
const VERIFIER = [...AGENT, "environment_mode", "environment", "collect"];

/** Default time limits and resources of a task. */
const TIMEOUT_SECONDS = 600;
const CPUS = 1;
const MEMORY_MB = 2_048;
const KB_PER_MB = 1_024;
const MB_PER_GB = 1_024;

/** Settings of `[environment]` and the files of the folder `environment`. */
export interface TaskEnvironment
  extends Pick<HarborTask, "image" | "uploads" | "workingDirectory" | "cpus" | "memoryMb" | "variables"> {
  /**
   * Whether commands can connect to other machines. The tables `[agent]` and `[verifier]` can override this setting for
   * their phases.
   */
  readonly hasNetwork: boolean;
}

interface Reading {
  /** Folder of the task. */
  readonly folder: string;
  /** Problems outside of `task.toml`. */
  readonly problems: string[];
  readonly warnings: string[];
}

/** Reads the table `[environment]`. */
export async function readEnvironment(field: Field, reading: Reading): Promise<TaskEnvironment | undefined> {
  const fields = readMap(field, ENVIRONMENT);
  if (fields === undefined) return undefined;
  refuseUnsupported(fields);
  const timeoutSeconds = readAmount(fields("build_timeout_sec")) ?? TIMEOUT_SECONDS;
  const source = await readImage(readText(fields("docker_image")), { ...reading, timeoutSeconds });
  const memoryMb = readAmount(fields("memory_mb")) ?? readSize(fields("memory")) ?? MEMORY_MB;
  if ((readAmount(fields("storage_mb")) ?? readSize(fields("storage"))) !== undefined)
    reading.warnings.push("environment.storage_mb has no effect: the container engine does not limit it.");
  const result = {
    workingDirectory: readFolderPath(fields("workdir")),
    ...{ cpus: readAmount(fields("cpus")) ?? CPUS, memoryMb: Math.ceil(memoryMb), variables: readTexts(fields("env")) },
    hasNetwork: readNetwork(fields) ?? readInternet(fields("allow_internet")) ?? true,
  };
  return source === undefined ? undefined : { ...source, ...result };
}

function refuseUnsupported(fields: FieldsByName): void {
  const os = readText(fields("os"));
  if (os !== undefined && os !== "linux") fail(fields("os"), `is ${os}, which is not supported; only linux is`);
  const gpus = fields("gpus");
  if (!isAbsent(gpus) && gpus.value !== 0) fail(gpus, "is not supported: containers get no GPU");
  const reasons = {
    tpu: "containers get no TPU",
    healthcheck: "the container's own start command does not run, so no service becomes ready",
    skills_dir: "engines get only the files of the image",
  };
  for (const [name, reason] of Object.entries(reasons)) {
    if (!isAbsent(fields(name))) fail(fields(name), `is not supported: ${reason}`);
  }
  if (readList(fields("mcp_servers")).length > 0)
    fail(fields("mcp_servers"), "is not supported: engines get no MCP servers of a task");
}

async function readImage(
  name: string | undefined,
  { folder, problems, timeoutSeconds }: Reading & { readonly timeoutSeconds: number },
): Promise<{ image: HarborImage; uploads?: string } | undefined> {
  const source = join(folder, "environment");
  const has = async (file: string): Promise<boolean> =>
    (await stat(join(source, file)).catch(() => undefined)) !== undefined;
  for (const file of ["docker-compose.yaml", "docker-compose.yml"]) {
    if (await has(file)) problems.push(`environment/${file} is not supported: a task has one container`);
  }
  const hasDockerfile = await has("Dockerfile");
  if (name !== undefined) {
    const uploads = !hasDockerfile && (await has(".")) ? { uploads: source } : {};
    return { image: { kind: "named", name }, ...uploads };
  }
  if (!hasDockerfile) {
    problems.push("environment/Dockerfile does not exist, and task.toml has no environment.docker_image");
    return undefined;
  }
  const label = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, "-")
    .replace(/^-+|-+$/gu, "");
  const digest = (await digestFolder(source)).slice(0, 16);
  return {
    image: { kind: "built", name: `switchyard-task/${label || "task"}:${digest}`, folder: source, timeoutSeconds },
  };
}

/** Reads the table `[agent]`. */
export function readAgent(
  field: Field,
  hasNetwork: boolean,
): (HarborPhase & { readonly timeoutSeconds: number }) | undefined {
  const fields = readMap(field, AGENT);
  return fields === undefined ? undefined : readPhase(fields, hasNetwork);
}

/** Reads the table `[verifier]`. */
export function readVerifier(
  field: Field,
  hasNetwork: boolean,
): (HarborPhase & { readonly timeoutSeconds: number }) | undefined {
  const fields = readMap(field, VERIFIER);
  if (fields === undefined) return undefined;
  const mode = readText(fields("environment_mode"));
  if (mode === "separate") {
    const reason = "the tests run with all files that the engine left, not in a separate image";
    fail(fields("environment_mode"), `is separate, which is not supported: ${reason}`);
  } else if (mode !== undefined && mode !== "shared") fail(fields("environment_mode"), "must be shared or separate");
  if (!isAbsent(fields("environment")))
    fail(fields("environment"), "is not supported: the tests run in the image of the task");
  if (readList(fields("collect")).length > 0)
    fail(fields("collect"), "is not supported: no command runs between the engine and the tests");
  return readPhase(fields, hasNetwork);
}

function readPhase(fields: FieldsByName, hasNetwork: boolean): HarborPhase & { readonly timeoutSeconds: number } {
  const { value: user } = fields("user");
  return {
    timeoutSeconds: Math.ceil(readAmount(fields("timeout_sec")) ?? TIMEOUT_SECONDS),
    hasNetwork: readNetwork(fields) ?? hasNetwork,
    user: typeof user === "number" ? String(user) : readText(fields("user")),
    variables: readTexts(fields("env")),
  };
}

/** Reads the table `[solution]`. */
export function readSolution(field: Field): HarborVariables {
  const fields = readMap(field, ["env"]);
  return fields === undefined ? {} : readTexts(fields("env"));
}

/** Reads `network_mode`. Resolves with `undefined` if it is absent. */
function readNetwork(fields: FieldsByName): boolean | undefined {
  const field = fields("network_mode");
  const mode = readText(field);
  if (mode === "allowlist") {
    const reason = "containers of tasks support only the whole network or no network; use public or no-network";
    fail(field, `is allowlist, which is not supported: ${reason}`);
    return undefined;
  }
  if (readList(fields("allowed_hosts")).length > 0) fail(fields("allowed_hosts"), "only goes with allowlist");
  if (mode === undefined || mode === "public" || mode === "no-network")
    return mode === undefined ? undefined : mode === "public";
  return fail(field, "must be public, no-network or allowlist");
}

function readInternet(field: Field): boolean | undefined {
  const { value } = field;
  if (isAbsent(field)) return undefined;
  return typeof value === "boolean" ? value : fail(field, "must be true or false");
}

/** Reads a size such as `2G`, `512M` or `1024K`, in MiB. */
function readSize(field: Field): number | undefined {
  const text = readText(field);
  if (text === undefined) return undefined;
  const { amount = "", unit = "" } = /^(?<amount>\d+(?:\.\d+)?)\s*(?<unit>[KMG])i?B?$/iu.exec(text)?.groups ?? {};
  if (amount === "") return fail(field, "must be a size such as 2G or 512M");
  const factor = { K: 1 / KB_PER_MB, M: 1, G: MB_PER_GB }[unit.toUpperCase()] ?? 1;
  return Number(amount) * factor;
}

function readFolderPath(field: Field): string | undefined {
  const path = readText(field);
  return path === undefined || path.startsWith("/") ? path : fail(field, "must be an absolute path");
}
