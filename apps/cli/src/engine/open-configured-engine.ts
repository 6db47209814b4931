import type { EngineRequest, OpenedEngine } from "@switchyard/engine-catalog";
import { type FileReference, readMcpConfig } from "@switchyard/settings";
import type { CommandContext } from "../context/command-context.ts";
import { readEngineFile } from "./engine-file.ts";
import { openEngine } from "./open-engine.ts";

/** Files that configure an engine: paths that the user gave, or references that are stored with the run. */
interface EngineFiles {
  readonly mcpConfig: string | FileReference | undefined;
  readonly engineFile: string | FileReference | undefined;
}

interface ConfiguredEngine {
  readonly opened: OpenedEngine;
  /** References to the files. */
  readonly references: Readonly<Record<keyof EngineFiles, FileReference | undefined>>;
}

/** Reads the files that configure an engine, and opens it. */
export async function openConfiguredEngine(
  context: CommandContext,
  request: EngineRequest,
  files: EngineFiles,
): Promise<ConfiguredEngine> {
  const mcp = files.mcpConfig === undefined ? undefined : await readMcpConfig(context, files.mcpConfig);
  const file = files.engineFile === undefined ? undefined : await readEngineFile(context, files.engineFile);
  const servers = { ...mcp?.servers, ...request.mcpServers };
  const mcpServers = Object.keys(servers).length === 0 ? undefined : servers;
  const opened = await openEngine(context, { ...request, mcpServers, engineDocument: file?.document });
  const references = { mcpConfig: mcp?.reference, engineFile: file?.reference };
  return { opened: request.code?.bind(opened) ?? opened, references };
}
