import type { ApprovalRule } from "@switchyard/agent";
import { AGENT_TOOLS, closestWord, EngineError, toolSubjectOf } from "@switchyard/contracts";

/** Condition that selects the tool calls that a rule matches. */
export type RuleSubject = Pick<ApprovalRule, "tool" | "command" | "path" | "url">;

const EXAMPLES =
  "Write a tool, such as shell, or a tool with a pattern for its target, such as 'shell(git *)' or 'write_file(src/**)'";

function invalid(problem: string): EngineError {
  return new EngineError("config.invalid", { field: "rule", problem });
}

/**
 * Throws `config.invalid` if a rule names an unknown tool, because the rule would never match. Names with `__` are
 * accepted, because the tools of MCP servers are only known in a run.
 */
function assertTool(tool: string): void {
  if (tool.includes("*") || tool.includes("__") || AGENT_TOOLS.includes(tool)) return;
  const meant = closestWord(tool, AGENT_TOOLS);
  throw invalid(`Unknown tool ${tool}.${meant === undefined ? "" : ` Did you mean ${meant}?`}`);
}

/**
 * Parses a rule. A rule is the name of a tool (`*` matches any characters), optionally with a command, path or URL in
 * parentheses. A rule that starts with `command:`, `path:` or `url:` matches every tool that runs the command, or uses
 * the path or URL. Throws `config.invalid`.
 */
export function parseRule(text: string): RuleSubject {
  const [, kind, what = ""] = /^(command|path|url):(.*)$/su.exec(text) ?? [];
  if (kind !== undefined) {
    if (what.trim() === "") throw invalid(`The pattern after ${kind}: is empty.`);
    return { [kind]: what.trim() };
  }
  const [whole, tool = "", spec] = /^([\w.*-]+)(?:\((.*)\))?$/su.exec(text.trim()) ?? [];
  if (whole === undefined) throw invalid(`${EXAMPLES}.`);
  assertTool(tool);
  if (spec === undefined) return { tool };
  const subject = toolSubjectOf(tool);
  if (spec.trim() === "")
    throw invalid(`The pattern in parentheses is empty. To match all calls, write ${tool} alone.`);
  if (subject === undefined) {
    throw invalid(`Calls of ${tool} have no target to match. Write ${tool} alone, or path:…, command:… or url:….`);
  }
  return { tool, [subject]: spec.trim() };
}
