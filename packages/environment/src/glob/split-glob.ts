const MAGIC = /[*?[\]{}\\]/;

/** A pattern split into literal folders and the rest. */
export interface SplitGlob {
  /** Leading literal folders, possibly absolute or with `..`. Empty if there are none. */
  readonly base: string;
  /** Remaining pattern below the literal folders. */
  readonly rest: string;
}

/** Splits leading literal folders off a pattern: `src/app/*.ts` becomes `*.ts` below `src/app`. */
export function splitGlob(pattern: string): SplitGlob {
  const segments = pattern.split("/");
  const magicAt = segments.findIndex((segment) => MAGIC.test(segment));
  const count = magicAt < 0 ? segments.length - 1 : magicAt;
  const base = segments.slice(0, count).join("/");
  return { base: base === "" && count > 0 ? "/" : base, rest: segments.slice(count).join("/") };
}
