import { toolSubjectOf } from "@switchyard/contracts";
import type { ApprovalSubject } from "./approval-subject.ts";

/** Words of a command without special characters of any shell. */
const PLAIN_COMMAND = /^[\w./:@+,-]+(?: [\w./:@+,=-]+)*$/;
const PLAIN_PATH = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;
const PLAIN_HOST = /^[a-z0-9.-]+$/;
const PLAIN_TOOL = /^[\w.-]+$/;
/** Maximum length of a suggested rule, in characters: users copy longer ones without reading them. */
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
  const kind = toolSubjectOf(subject.tool);
  // A rule that contains the whole command allows it, whatever else its form could do.
  if (kind === "command") return commandIn(subject);
  // The call needs approval for a reason other than a missing rule, so a narrower rule would not allow it.
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
 * Suggests the option that allows a call, as it is typed in a shell; `undefined` if none can be written safely. Text of
 * the model is part of it only if it contains no special characters of any shell.
 */
export function suggestRule(subject: ApprovalSubject): string | undefined {
  const { tool } = subject;
  if (!PLAIN_TOOL.test(tool)) return undefined;
  // Do not advise allowing all writes because of one file that other programs execute.
  if (subject.reason !== undefined && toolSubjectOf(tool) === "path") return undefined;
  const what = narrowly(subject);
  const rule = what === undefined || what.length > MAX_CHARS ? tool : `${tool}(${what})`;
  return rule === tool ? `--allow ${tool}` : `--allow '${rule}'`;
}
