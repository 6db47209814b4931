import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BoardSnapshot, Envelope, SessionResult, Usage } from "@switchyard/contracts";
import { openWorkspace, type Workspace } from "../open-workspace.ts";
import { bundleStep } from "./bundle-step.ts";
import { playOn } from "./run-step.ts";
import { SCENARIOS, type Scenario, type ScenarioName } from "./scenarios.ts";

/** Whether each step runs in a process of its own. */
export const IN_FRESH_PROCESSES: boolean = process.env["SWITCHYARD_ALWAYS_RESUME"] === "process";

/** More processes than any scenario has steps. */
const MAX_PROCESSES = 40;

/** What is left of a scenario that was played. */
export interface PlayedScenario extends AsyncDisposable {
  readonly result: SessionResult;
  readonly board: BoardSnapshot;
  /** Everything that was published, but for what each process says of its own beginning. */
  readonly envelopes: readonly (Envelope & { readonly pid: number })[];
  readonly usages: readonly Usage[];
  readonly workspace: Workspace;
  /** How many processes it took. */
  readonly processes: number;
}

async function runProcess(argv: readonly string[]): Promise<NodeJS.Signals | number | null> {
  const child = spawn(process.execPath, argv, { stdio: ["ignore", "inherit", "inherit"] });
  const [code, signal]: (NodeJS.Signals | number | null)[] = await once(child, "exit");
  return signal ?? code ?? null;
}

/** Processes one behind the other, until one of them has come to the end. */
async function playInProcesses(name: ScenarioName, root: string, state: string): Promise<number> {
  const { folder, program } = await bundleStep();
  try {
    return await countProcesses([program, name, root, state], join(state, "outcome.json"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function countProcesses(argv: readonly string[], outcome: string): Promise<number> {
  for (let number = 1; number <= MAX_PROCESSES; number += 1) {
    const end = await runProcess(argv);
    if (existsSync(outcome)) return number;
    if (end !== "SIGKILL") throw new Error(`Process ${number} ended by itself, with ${end}.`);
  }
  throw new Error("The scenario did not come to its end.");
}

function linesOf<T>(path: string): T[] {
  const text = readFileSync(path, "utf8").trim();
  return text === "" ? [] : text.split("\n").map((line) => JSON.parse(line));
}

/** Plays a scenario to its end: here, or where asked for in one process per step. */
export async function playScenario(name: ScenarioName): Promise<PlayedScenario> {
  const scenario: Scenario = SCENARIOS[name];
  const workspace = await openWorkspace(scenario.files);
  const state = await mkdtemp(join(tmpdir(), "switchyard-agent-state-"));
  mkdirSync(join(state, "checkpoints"));
  let processes = 1;
  if (IN_FRESH_PROCESSES) processes = await playInProcesses(name, workspace.root, state);
  else await playOn(scenario, { root: workspace.root, state, onStep: () => {} });
  const { result, board } = JSON.parse(readFileSync(join(state, "outcome.json"), "utf8"));
  const envelopes = linesOf<Envelope & { pid: number }>(join(state, "events.jsonl"));
  const [first] = envelopes;
  return {
    result,
    board,
    envelopes: envelopes.filter(
      ({ type, pid }) => pid === first?.pid || (type !== "run_start" && type !== "session_start"),
    ),
    usages: linesOf<Usage>(join(state, "usages.jsonl")),
    workspace,
    processes,
    async [Symbol.asyncDispose]() {
      await workspace[Symbol.asyncDispose]();
      await rm(state, { recursive: true, force: true });
    },
  };
}
