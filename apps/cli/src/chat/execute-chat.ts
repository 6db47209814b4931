import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type ChatSettings, type EarlierConversation, runChat, toEarlierConversation } from "@switchyard/chat";
import { EngineError } from "@switchyard/contracts";
import { engineNames } from "@switchyard/engine-catalog";
import { openEnvironment } from "@switchyard/environment";
import type { McpPool } from "@switchyard/mcp";
import { readImages, secretsFromEnv, undoRun } from "@switchyard/runner";
import { createMasker } from "@switchyard/secrets";
import { environmentNameOf, findNewestConversation, hostWorkspaceOf } from "@switchyard/settings";
import { defaultMode } from "../approval/default-mode.ts";
import type { CommandContext } from "../context/command-context.ts";
import { engineHostOf } from "../engine/open-engine.ts";
import { usageError } from "../program/usage-error.ts";
import { quoteWord } from "../run/quote-word.ts";
import { storageWords } from "../run/resume-hint.ts";
import { stateDirectory } from "../run/state-directory.ts";
import { listRuns } from "../runs/list-runs.ts";
import { findRun } from "../runs/open-runs.ts";
import { openRunStore } from "../store/open-run-store.ts";
import { endOrphanedProcessesOf } from "../worktree/end-orphaned-processes.ts";
import { canChat } from "./can-chat.ts";
import type { ChatCommandOptions } from "./chat-command-options.ts";
import { performTurn } from "./perform-turn.ts";

/** Runs the interactive session. Resolves with the exit code. Rejects with errors that prevent the start. */
export async function executeChat(context: CommandContext, options: ChatCommandOptions): Promise<number> {
  if (!canChat(context)) throw usageError("`chat` requires a terminal. Use `switchyard run` in scripts.", "chat");
  const named = resolve(context.workingDirectory, options.workspace ?? ".");
  const folder = await realpath(named).catch(() => named);
  const state = stateDirectory(context, options.state);
  const masker = createMasker(secretsFromEnv(context.env));
  const earlier = await findEarlier(context, options, folder);
  await using files = await openEnvironment({ type: "local", root: folder });
  await using mcpPool = await openMcpPool(context, options);
  const host = {
    ...{ folder, files, historyFile: historyFile(state, folder) },
    continueCommand: continueCommand(options),
    runTurn: performTurn(context, options, mcpPool),
    undo: async (id: string) => {
      const run = await findRun(context, await openRunStore(context, options), { ...options, id, command: "undo" });
      return undoRun(run, {
        ...{ env: context.env, stateDirectory: state, workspace: hostWorkspaceOf(run), now: context.now() },
        onTakeover: endOrphanedProcessesOf(context, state),
      });
    },
    findLatest: async () => {
      const { run } = await findNewestConversation(await openRunStore(context, options), folder);
      return run && toEarlierConversation(run);
    },
    environment: environmentNameOf(options),
    printRuns: async (stdout: CommandContext["stdout"], scope: "folder" | "all") =>
      void (await listRuns(
        { ...context, stdout },
        { ...options, folders: scope === "all" ? undefined : [named, folder] },
      )),
    defaultMode: (engine: string) => defaultMode(context, options, engine),
    listEngines: async () => engineNames(engineHostOf(context), options.trustWorkspace === true ? folder : undefined),
    readImages: (paths: readonly string[]) => readImages(paths, folder),
    mask: (text: string) => masker.mask(text),
  };
  const { prompt } = options;
  await runChat(context, host, {
    settings: await settingsOf(context, options),
    earlier,
    ...(prompt === "" ? {} : { prompt }),
  });
  return 0;
}

/** Opens a pool that keeps the MCP servers of the session open between turns. `undefined` without servers. */
async function openMcpPool({ env }: CommandContext, { mcpConfig }: ChatCommandOptions): Promise<McpPool | undefined> {
  if (mcpConfig === undefined) return undefined;
  const { createMcpPool } = await import("@switchyard/mcp");
  return createMcpPool({ openEnvironment: (root) => openEnvironment({ type: "local", root, env }) });
}

async function settingsOf(context: CommandContext, options: ChatCommandOptions): Promise<ChatSettings> {
  const { engine, model, mode, configured } = options;
  return { engine, model: model ?? configured?.model, mode: mode ?? (await defaultMode(context, options, engine)) };
}

function historyFile(state: string, folder: string): string {
  return join(state, "chat", `${createHash("sha256").update(folder).digest("hex").slice(0, 32)}.jsonl`);
}

async function findEarlier(
  context: CommandContext,
  options: ChatCommandOptions,
  folder: string,
): Promise<EarlierConversation | undefined> {
  if (options.from === undefined && options.continue !== true) return undefined;
  const store = await openRunStore(context, options);
  if (options.from !== undefined) {
    return toEarlierConversation(await findRun(context, store, { ...options, id: options.from, command: "chat" }));
  }
  const { run, workspace } = await findNewestConversation(store, folder);
  if (run !== undefined) return toEarlierConversation(run);
  const stateFolder = stateDirectory(context, options.state);
  throw new EngineError("run.not_found", { runId: `with a conversation in ${workspace}`, stateDirectory: stateFolder });
}

function continueCommand({ workspace, ...storage }: ChatCommandOptions): string {
  const named = workspace === undefined ? [] : ["--workspace", quoteWord(workspace)];
  return ["switchyard chat --continue", ...named, ...storageWords(storage)].join(" ");
}
