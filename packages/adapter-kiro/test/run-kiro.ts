import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentEvent, EngineError, TurnResult } from "@switchyard/contracts";
import { toEngineError } from "@switchyard/contracts";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { secret } from "@switchyard/secrets";
import { kiro } from "../src/index.ts";

/** A key that the fake command accepts. */
export const KEY = "kiro-key-0123456789";

/** Behaviour of the fake command in one turn. */
interface KiroTurn {
  readonly stdout?: string | undefined;
  readonly stderr?: string | undefined;
  readonly exitCode?: number | undefined;
}

/** Options of a run of the fake command. */
export interface KiroOptions {
  readonly turns?: readonly KiroTurn[] | undefined;
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  /** Key of the host. Default: the accepted key. */
  readonly key?: string | undefined;
  /** Id of an earlier session. */
  readonly resume?: string | undefined;
  /** Behaviour of `whoami`: respond, or hang. */
  readonly whoami?: "answers" | "hangs" | undefined;
}

/** Result of a run. */
export interface KiroRun {
  readonly results: readonly TurnResult[];
  readonly events: readonly AgentEvent[];
  readonly startError: EngineError | undefined;
  /** Arguments of every start that was a turn. */
  readonly launches: readonly (readonly string[])[];
}

/** The trailer of a successful turn, as documented. */
export const CREDITS = "\u001B[90m▸ Credits: 0.05 • Time: 2s\u001B[0m\n";

const FAKE = `
const fs = require("node:fs");
const args = process.argv.slice(2);
const { turns, whoami, key } = JSON.parse(fs.readFileSync(__dirname + "/script.json", "utf8"));
if (args[0] === "whoami") {
  if (whoami === "hangs") setInterval(() => {}, 1000);
  else console.log(process.env.KIRO_API_KEY === key ? "Authenticated with API key" : "Not logged in");
} else {
  const log = __dirname + "/asked.jsonl";
  const before = fs.existsSync(log) ? fs.readFileSync(log, "utf8").trim().split("\\n").length : 0;
  fs.appendFileSync(log, JSON.stringify(args) + "\\n");
  const turn = turns[Math.min(before, turns.length - 1)];
  fs.writeSync(2, turn.stderr ?? "");
  fs.writeSync(1, turn.stdout ?? "");
  process.exitCode = turn.exitCode ?? 0;
}
`;

/**
 * Runs turns of a command that behaves as Kiro's documentation describes. There is no recording of the real command.
 */
export async function runKiro(prompts: readonly string[], options: KiroOptions = {}): Promise<KiroRun> {
  const { turns = [{ stdout: "> Done.\n", stderr: CREDITS }], config = {}, key = KEY, whoami = "answers" } = options;
  const folder = await realpath(await mkdtemp(join(tmpdir(), "switchyard-kiro-")));
  await mkdir(join(folder, "workspace"));
  await writeFile(join(folder, "script.json"), JSON.stringify({ turns, whoami, key: KEY }));
  await writeFile(join(folder, "kiro.cjs"), FAKE);
  const environment = await openLocalEnvironment({ root: join(folder, "workspace"), env: process.env });
  const variables = key === "" ? {} : { KIRO_API_KEY: secret(key) };
  const adapter = kiro.create({ command: [process.execPath, join(folder, "kiro.cjs")], ...config }, { variables });
  const events: AgentEvent[] = [];
  const results: TurnResult[] = [];
  let startError: EngineError | undefined;
  try {
    const session = await adapter.startSession({
      ...{ environment, workspacePath: environment.workingDirectory, resumeSessionId: options.resume },
    });
    for (const prompt of prompts) {
      results.push(await adapter.runTurn(session, { prompt, onEvent: (event) => events.push(event) }));
    }
    await adapter.stopSession(session);
  } catch (error) {
    startError = toEngineError(error);
  }
  const log = await readFile(join(folder, "asked.jsonl"), "utf8").catch(() => "");
  await environment[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
  return {
    results,
    events,
    startError,
    launches: log.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)])),
  };
}
