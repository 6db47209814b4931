const MAGIC = /[*?[\]{}\\]/;

/** A pattern in two: the folders that it names literally, and the rest. */
export interface SplitGlob {
  /** Literal folders in front, perhaps absolute or with `..`; empty when there are none. */
  readonly base: string;
  /** What is left to match below them. */
  readonly rest: string;
}

/** Splits the literal folders off the front of a pattern: `src/app/*.ts` is `*.ts` below `src/app`. */
export function splitGlob(pattern: string): SplitGlob {
  const segments = pattern.split("/");
  const magicAt = segments.findIndex((segment) => MAGIC.test(segment));
  const count = magicAt < 0 ? segments.length - 1 : magicAt;
  const base = segments.slice(0, count).join("/");
  return { base: base === "" && count > 0 ? "/" : base, rest: segments.slice(count).join("/") };
}
