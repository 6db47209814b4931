import type { ExecutionEnvironment, FileStat } from "@switchyard/contracts";

/** Files up to this size are told apart by their content. */
const MAX_DIGEST_BYTES = 256 * 1024;

/** By what a change of a file is seen. */
export interface Fingerprint extends FileStat {
  /** Digest of the content, where it is cheap to have. */
  readonly digest?: string | undefined;
}

/** Fingerprint of what is at a path, links followed. Throws what `stat` throws. */
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

/** Whether two fingerprints are of the same content: by the digests where both have one, else by size and time. */
export function isSameContent(one: Fingerprint, other: Fingerprint): boolean {
  if (one.kind !== other.kind) return false;
  // Times of folders change with their entries, which are looked at by themselves.
  if (one.kind !== "file") return true;
  if (one.digest !== undefined && other.digest !== undefined) return one.digest === other.digest;
  return one.size === other.size && one.modifiedMs === other.modifiedMs;
}

/** SHA-256 of some bytes, in hexadecimal digits. */
export async function digestOf(bytes: Uint8Array, algorithm: "SHA-256" | "SHA-1" = "SHA-256"): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest(algorithm, bytes.slice()));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
