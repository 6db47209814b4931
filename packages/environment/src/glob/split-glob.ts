const MAGIC = /[*?[\]{}\\]/;

/** A glob pattern, split into leading folders without wildcards and the rest. */
export interface SplitGlob {
  /** Leading folders without wildcards. The path may be absolute or contain `..`. Empty if there are none. */
  readonly base: string;
  /** Rest of the pattern, relative to the leading folders. */
  readonly rest: string;
}

/** Splits a glob pattern after its leading folders without wildcards: `src/app/*.ts` becomes `src/app` and `*.ts`. */
export function splitGlob(pattern: string): SplitGlob {
  const segments = pattern.split("/");
  const magicAt = segments.findIndex((segment) => MAGIC.test(segment));
  const count = magicAt < 0 ? segments.length - 1 : magicAt;
  const base = segments.slice(0, count).join("/");
  return { base: base === "" && count > 0 ? "/" : base, rest: segments.slice(count).join("/") };
}
