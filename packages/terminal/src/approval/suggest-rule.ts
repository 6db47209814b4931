import { toolSubjectOf } from "@switchyard/contracts";
import type { ApprovalSubject } from "./approval-subject.ts";

/** Matches a command without characters that are special in any shell. */
const PLAIN_COMMAND = /^[\w./:@+,-]+(?: [\w./:@+,=-]+)*$/;
/** Matches a line that begins with a shell keyword instead of a command. Command rules never allow such a line. */
const SHELL_SYNTAX = /^(?:if|then|elif|else|fi|while|until|do|done|for|case|esac|select|function|coproc)(?: |$)/;
const PLAIN_PATH = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;
const PLAIN_HOST = /^[a-z0-9.-]+$/;
const PLAIN_TOOL = /^[\w.-]+$/;
/** Maximum length of a suggested rule, in characters. Users would copy longer rules without reading them. */
const MAX_CHARS = 120;

function commandIn({ command, args }: ApprovalSubject): string | undefined {
  // The same command with another folder or other flags is a different call. A rule is therefore suggested only if
  // `command` is the call's only argument.
  const isAll = Object.keys(args).length === 1;
  if (!isAll || command === undefined || SHELL_SYNTAX.test(command)) return undefined;
  return PLAIN_COMMAND.test(command) ? command : undefined;
}

function pathIn({ args }: ApprovalSubject): string | undefined {
  const path = args["file_path"] ?? args["path"];
  return typeof path === "string" && PLAIN_PATH.test(path) ? path : undefined;
}

function hostIn({ args }: ApprovalSubject): string | undefined {
  const { url } = args;
  if (typeof url !== "string" || !URL.canParse(url)) return undefined;
  const { protocol, hostname, port } = new URL(url);
  const isPlain = (protocol === "https:" || protocol === "http:") && port === "" && PLAIN_HOST.test(hostname);
  return isPlain ? hostname : undefined;
}

function narrowly(subject: ApprovalSubject): string | undefined {
  if (subject.folder !== undefined) return undefined;
  const kind = toolSubjectOf(subject.tool);
  // A rule that contains the complete command can allow the call, whatever the reason for the approval.
  if (kind === "command") return commandIn(subject);
  // The call needs approval for a special reason. A narrow rule for a path or URL would not allow it.
  if (subject.reason !== undefined) return undefined;
  switch (kind) {
    case "path":
      return pathIn(subject);
    case "url":
      return hostIn(subject);
    default:
      return undefined;
  }
}

/**
 * Suggests the command-line option that allows a tool call, quoted for a shell. `undefined` if no option can be written
 * safely. Text from the model is included only if it contains no characters that are special in any shell.
 */
export function suggestRule(subject: ApprovalSubject): string | undefined {
  const { tool, acceptsRules } = subject;
  if (!acceptsRules || !PLAIN_TOOL.test(tool)) return undefined;
  // A file that other programs execute always needs approval.
  // A rule that allows all writes would be dangerous, so no rule is suggested.
  if (subject.reason !== undefined && toolSubjectOf(tool) === "path") return undefined;
  const what = narrowly(subject);
  const rule = what === undefined || what.length > MAX_CHARS ? tool : `${tool}(${what})`;
  return rule === tool ? `--allow ${tool}` : `--allow '${rule}'`;
}
