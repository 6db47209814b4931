import type { z } from "zod";

/** `true` if two types are identical, including optional and readonly modifiers. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/**
 * Returns a function that checks at compile time that a schema's output is exactly `T`. Callers export the interface
 * `T` instead of the type that is inferred from the schema, because only the interface has doc comments.
 */
export function schemaFor<T>(): <S extends z.ZodType<T>>(
  schema: S & (Equal<Flat<z.output<S>>, Flat<T>> extends true ? unknown : never),
) => z.ZodType<T> {
  return (schema) => schema;
}

/** Resolves intersections and aliases of a type, so that the compiler treats types of equal shape as identical. */
export type Flat<T> = T extends (...parameters: never) => unknown
  ? T
  : T extends object
    ? { [K in keyof T]: Flat<T[K]> }
    : T;
