import type { ExecutionEnvironment, FileStat } from "@switchyard/contracts";

/** Maximum size, in bytes, of a file whose content is hashed to detect changes. */
const MAX_DIGEST_BYTES = 256 * 1024;

/** Properties of a file or folder that are compared to detect changes. */
export interface Fingerprint extends FileStat {
  /** Digest of the content. `undefined` for a folder or a large file. */
  readonly digest?: string | undefined;
}

/**
 * Determines the properties by which a later change of a path is detected. Symbolic links are followed. Throws the
 * errors of `stat`.
 */
export async function takeFingerprint(
  environment: Pick<ExecutionEnvironment, "stat" | "readBytes">,
  path: string,
  known?: Uint8Array,
): Promise<Fingerprint> {
  const { kind, size, modifiedMs } = await environment.stat(path);
  if (kind !== "file" || size > MAX_DIGEST_BYTES) return { kind, size, modifiedMs };
  const content = known ?? (await environment.readBytes(path, { length: MAX_DIGEST_BYTES }));
  return { kind, size: content.length, modifiedMs, digest: await digestOf(content) };
}

/**
 * Returns whether two fingerprints indicate the same content: by digest if both have one, otherwise by size and
 * modification time.
 */
export function isSameContent(one: Fingerprint, other: Fingerprint): boolean {
  if (one.kind !== other.kind) return false;
  // The modification times of folders are not compared. A new or removed entry changes the time of its folder, and
  // entries are compared separately.
  if (one.kind !== "file") return true;
  if (one.digest !== undefined && other.digest !== undefined) return one.digest === other.digest;
  return one.size === other.size && one.modifiedMs === other.modifiedMs;
}

/** Returns the digest of bytes, in hexadecimal. Default: SHA-256. */
export async function digestOf(bytes: Uint8Array, algorithm: "SHA-256" | "SHA-1" = "SHA-256"): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest(algorithm, bytes.slice()));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
