import type { ApprovalSubject } from "./approval-subject.ts";
import { subjectOf } from "./tool-subject.ts";

/** Words of a command that mean themselves, in any shell. */
const PLAIN_COMMAND = /^[\w./:@+,-]+(?: [\w./:@+,=-]+)*$/;
const PLAIN_PATH = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;
const PLAIN_HOST = /^[a-z0-9.-]+$/;
const PLAIN_TOOL = /^[\w.-]+$/;
/** Longer ones are not read before they are copied. */
const MAX_CHARS = 120;

function commandIn({ command, args }: ApprovalSubject): string | undefined {
  // In another folder, or with other flags, the same words are another call.
  const isAll = Object.keys(args).length === 1;
  return isAll && command !== undefined && PLAIN_COMMAND.test(command) ? command : undefined;
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
  const kind = subjectOf(subject.tool);
  // A rule that contains the whole command allows it, whatever else its form could do.
  if (kind === "command") return commandIn(subject);
  // A path or an address that is asked about for a reason of its own is one that no narrower rule allows.
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
 * The option that lets a call run without a question, as it is typed in a shell; nothing where none can be written
 * safely. What a model wrote is only in it where it means nothing to any shell.
 */
export function suggestRule(subject: ApprovalSubject): string | undefined {
  const { tool } = subject;
  if (!PLAIN_TOOL.test(tool)) return undefined;
  // To allow all writes is no advice for one file that other programs execute.
  if (subject.reason !== undefined && subjectOf(tool) === "path") return undefined;
  const what = narrowly(subject);
  const rule = what === undefined || what.length > MAX_CHARS ? tool : `${tool}(${what})`;
  return rule === tool ? `--allow ${tool}` : `--allow '${rule}'`;
}
