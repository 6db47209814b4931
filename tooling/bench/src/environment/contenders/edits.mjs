// @ts-check
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createAnthropicProfile, createOpenAiProfile } from "@switchyard/agent";
import { findCodex } from "../../../environment-peers/find-codex.mjs";
import { openWorkspace } from "./open-workspace.mjs";

/** @import { ApartContender, ContenderKind } from "./contender-kind.mjs" */
/** @typedef {{ root: string, line: string, changed: string }} EditSetting */

/** @returns {import("@switchyard/contracts").ToolCallContext} */
function callContext() {
  const { signal } = new AbortController();
  return { signal, callId: "call", onUpdate: () => {}, commandTimeouts: { defaultMs: 1000, maxMs: 1000 } };
}

/**
 * @param {import("@switchyard/agent").ProviderProfile} profile
 * @param {string} name
 * @param {EditSetting & { argumentsFor: (path: string) => Record<string, string> }} work
 * @returns {Promise<ApartContender>}
 */
async function byTool({ toolRegistry }, name, { root, line, changed, argumentsFor }) {
  const tool = toolRegistry.get(name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  const environment = await openWorkspace(root);
  const change = async (/** @type {string} */ path) => {
    const output = await tool.execute(argumentsFor(path), environment, callContext());
    if (typeof output !== "string" && output.isError === true) throw new Error(String(output.content));
  };
  // Loading and setup are not part of a change.
  writeFileSync(join(root, "small.txt"), `${line}\n`);
  await change("small.txt");
  return {
    run: () => change("big.txt"),
    async close() {
      writeFileSync(join(root, "big.txt"), readFileSync(join(root, "big.txt"), "utf8").replace(changed, line));
      await environment[Symbol.asyncDispose]();
    },
  };
}

/** @param {EditSetting} setting */
function edit(setting) {
  const { line, changed } = setting;
  const argumentsFor = (/** @type {string} */ path) => ({ file_path: path, old_string: line, new_string: changed });
  return byTool(createAnthropicProfile({ model: "m" }), "edit_file", { ...setting, argumentsFor });
}

/**
 * Returns a patch with one hunk.
 * @param {string} path
 * @param {EditSetting} setting
 */
function patchOf(path, { line, changed }) {
  const lines = ["*** Begin Patch", `*** Update File: ${path}`, "@@", `-${line}`, `+${changed}`, "*** End Patch", ""];
  return lines.join("\n");
}

/** @param {EditSetting} setting */
function patch(setting) {
  const argumentsFor = (/** @type {string} */ path) => ({ patch: patchOf(path, setting) });
  return byTool(createOpenAiProfile({ model: "m" }), "apply_patch", { ...setting, argumentsFor });
}

/**
 * Applies the same patch with codex, the origin of the format, in its own process.
 * @param {EditSetting} setting @returns {Promise<ApartContender>}
 */
async function codex(setting) {
  const { root, line, changed } = setting;
  const [command, text] = [findCodex(), patchOf("big.txt", setting)];
  return {
    async run() {
      execFileSync(command, ["--codex-run-as-apply-patch", text], { cwd: root, stdio: "ignore" });
    },
    async close() {
      writeFileSync(join(root, "big.txt"), readFileSync(join(root, "big.txt"), "utf8").replace(changed, line));
    },
  };
}

/**
 * Minimum cost of changing a whole file: reading and writing it once.
 * @param {EditSetting} setting @returns {Promise<ApartContender>}
 */
async function copy({ root }) {
  return { run: async () => writeFileSync(join(root, "copy.txt"), readFileSync(join(root, "big.txt"))) };
}

/** Naive implementation. @param {EditSetting} setting @returns {Promise<ApartContender>} */
async function lineArray({ root, line, changed }) {
  return {
    async run() {
      const lines = readFileSync(join(root, "big.txt"), "utf8").split("\n");
      lines[lines.indexOf(line)] = changed;
      writeFileSync(join(root, "copy.txt"), lines.join("\n"));
    },
  };
}

/** @type {ContenderKind} */
export const EDITS = { edit, patch, codex, copy, "line array": lineArray };
