import type { ApprovalRule } from "@switchyard/agent";
import { closestWord } from "@switchyard/contracts";
import { subjectOf, TOOLS } from "@switchyard/terminal";
import { InvalidArgumentError } from "commander";

/** Which calls a rule is about. */
export type RuleSubject = Pick<ApprovalRule, "tool" | "command" | "path" | "url">;

const EXAMPLES =
  "Write a tool, such as shell, or one with what it touches, such as 'shell(git *)' or 'write_file(src/**)'";

function invalid(problem: string): InvalidArgumentError {
  return new InvalidArgumentError(problem);
}

/** A name that no tool has would make a rule that nothing ever fits; tools of servers are only known in a run. */
function assertTool(tool: string): void {
  if (tool.includes("*") || tool.includes("__") || TOOLS.includes(tool)) return;
  const meant = closestWord(tool, TOOLS);
  throw invalid(`There is no tool ${tool}.${meant === undefined ? "" : ` Did you mean ${meant}?`}`);
}

/**
 * A rule as it is written on the command line: a tool by its name (`*` stands for any characters), with the command, the
 * path or the address it touches in parentheses; or `command:`, `path:` or `url:` for any tool that touches that.
 * Throws `InvalidArgumentError`.
 */
export function parseRule(text: string): RuleSubject {
  const [, kind, what = ""] = /^(command|path|url):(.*)$/su.exec(text) ?? [];
  if (kind !== undefined) {
    if (what.trim() === "") throw invalid(`There is nothing behind ${kind}: in it.`);
    return { [kind]: what.trim() };
  }
  const [whole, tool = "", spec] = /^([\w.*-]+)(?:\((.*)\))?$/su.exec(text.trim()) ?? [];
  if (whole === undefined) throw invalid(`${EXAMPLES}.`);
  assertTool(tool);
  if (spec === undefined) return { tool };
  const subject = subjectOf(tool);
  if (spec.trim() === "") throw invalid(`There is nothing in its parentheses; ${tool} alone means all of its calls.`);
  if (subject === undefined) {
    throw invalid(`Calls of ${tool} do not say what they touch: write ${tool} alone, or path:…, command:… or url:….`);
  }
  return { tool, [subject]: spec.trim() };
}

/** Takes a rule of an option that can be given many times. Throws `InvalidArgumentError`. */
export function addRule(text: string, rules: readonly string[] = []): string[] {
  parseRule(text);
  return [...rules, text];
}
