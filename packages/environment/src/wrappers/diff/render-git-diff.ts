import { digestOf } from "../fingerprint.ts";
import { renderBinaryPatch } from "./binary-patch.ts";
import { quoteGitPath } from "./git-path.ts";
import { renderHunks } from "./unified-hunks.ts";

/** Object id that git writes in a diff for a missing file. */
const NO_FILE = "0".repeat(40);

/** One changed file. */
export interface FileDifference {
  /** Old path and content. `undefined` for a new file. */
  readonly before: { readonly path: string; readonly bytes: Uint8Array } | undefined;
  /** New path and content. `undefined` for a removed file. */
  readonly after: { readonly path: string; readonly bytes: Uint8Array } | undefined;
  /**
   * File mode in the diff of a new or removed file: `100644`, or `120000` for a link, whose content is the path of its
   * target.
   */
  readonly mode: string;
}

/** Returns the change of one file in the format of `git apply`. Empty if nothing changed. */
export async function renderGitDiff({ before, after, mode }: FileDifference): Promise<string> {
  const [oldPath, newPath] = [before?.path ?? after?.path ?? "", after?.path ?? before?.path ?? ""];
  const [oldBytes, newBytes] = [before?.bytes ?? new Uint8Array(), after?.bytes ?? new Uint8Array()];
  const lines = [`diff --git ${quoteGitPath(`a/${oldPath}`)} ${quoteGitPath(`b/${newPath}`)}`];
  if (before === undefined) lines.push(`new file mode ${mode}`);
  if (after === undefined) lines.push(`deleted file mode ${mode}`);
  const isSame = oldBytes.length === newBytes.length && oldBytes.every((byte, index) => byte === newBytes[index]);
  const isMoved = oldPath !== newPath;
  if (isMoved) {
    if (isSame) lines.push("similarity index 100%");
    lines.push(`rename from ${quoteGitPath(oldPath)}`, `rename to ${quoteGitPath(newPath)}`);
  }
  if (isSame && !isMoved && before !== undefined && after !== undefined) return "";
  if (!isSame || !isMoved) {
    const ids = [before && (await blobId(oldBytes)), after && (await blobId(newBytes))];
    lines.push(`index ${ids[0] ?? NO_FILE}..${ids[1] ?? NO_FILE}`);
  }
  const head = `${lines.join("\n")}\n`;
  if (isSame) return head;
  const texts = [toText(oldBytes), toText(newBytes)];
  const [oldText, newText] = texts;
  if (oldText === undefined || newText === undefined) return head + (await renderBinaryPatch(oldBytes, newBytes));
  const names = [before && `a/${oldPath}`, after && `b/${newPath}`];
  return `${head}--- ${fileName(names[0])}\n+++ ${fileName(names[1])}\n${renderHunks(oldText, newText)}`;
}

/** Returns a file name for a diff header. As in git, a name with spaces is followed by a tab. */
function fileName(path: string | undefined): string {
  if (path === undefined) return "/dev/null";
  const quoted = quoteGitPath(path);
  return quoted === path && path.includes(" ") ? `${path}\t` : quoted;
}

/** Decodes bytes as text. `undefined` for binary content: a NUL, or invalid UTF-8. */
function toText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns the object id that git computes for a file's content. */
async function blobId(bytes: Uint8Array): Promise<string> {
  const header = new TextEncoder().encode(`blob ${bytes.length}\0`);
  const blob = new Uint8Array(header.length + bytes.length);
  blob.set(header);
  blob.set(bytes, header.length);
  return digestOf(blob, "SHA-1");
}
