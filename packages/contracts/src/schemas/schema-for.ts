import type { z } from "zod";

/** `true` when two types are the same, optional and readonly marks included. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/**
 * Keeps a schema and its interface equal: the compiler refuses a schema whose output is not exactly `T`.
 * The interface stays the one that is documented and exported.
 */
export function schemaFor<T>(): <S extends z.ZodType<T>>(
  schema: S & (Equal<Flat<z.output<S>>, Flat<T>> extends true ? unknown : never),
) => z.ZodType<T> {
  return (schema) => schema;
}

/** Resolves intersections and aliases, so that equal shapes compare equal. */
export type Flat<T> = T extends (...parameters: never) => unknown
  ? T
  : T extends object
    ? { [K in keyof T]: Flat<T[K]> }
    : T;
