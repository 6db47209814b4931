import type { GlobMatcher } from "../../glob/compile-glob.ts";
import { compileGlob } from "../../glob/compile-glob.ts";
import { resolveWorkspacePath } from "../../path/workspace-path.ts";
import type { WorkspaceRoot } from "../../path/workspace-root.ts";
import type { EnvironmentCall } from "../wrap-environment.ts";
import type { Fault, FaultRule } from "./fault-plan.ts";

/** Function that returns the faults to inject into a call. It is called once for each call, in order. */
export type FaultChoice = (call: EnvironmentCall) => readonly Fault[];

/** Parses the rules of a fault plan. Throws `environment.invalid_pattern`. */
export function createFaultChoice(
  rules: readonly FaultRule[],
  { root, random }: { root: WorkspaceRoot; random: () => number },
): FaultChoice {
  const counted = rules.map((rule) => ({ rule, matches: compilePath(rule), seen: 0 }));
  return (call) =>
    counted.flatMap((one) => {
      if (!fits(call, one.rule) || !fitsPath(call, one.matches, root)) return [];
      one.seen += 1;
      const { calls, probability, fault } = one.rule;
      if (calls !== undefined && ![calls].flat().includes(one.seen)) return [];
      if (probability !== undefined && random() >= probability) return [];
      return [fault].flat();
    });
}

function compilePath({ path }: FaultRule): GlobMatcher | undefined {
  return path === undefined ? undefined : compileGlob(path);
}

function fits({ operation, command }: EnvironmentCall, rule: FaultRule): boolean {
  if (rule.operations !== undefined && !rule.operations.includes(operation)) return false;
  if (rule.command === undefined) return true;
  if (command === undefined) return false;
  // `search` is used instead of `test`, because `test` moves `lastIndex` of a regular expression with the flag `g`.
  return (typeof command === "string" ? command : command.join(" ")).search(rule.command) >= 0;
}

function fitsPath({ paths }: EnvironmentCall, matches: GlobMatcher | undefined, root: WorkspaceRoot): boolean {
  if (matches === undefined) return true;
  return paths.some((path) => {
    try {
      return matches(resolveWorkspacePath(root, path).relative);
    } catch {
      return false;
    }
  });
}
