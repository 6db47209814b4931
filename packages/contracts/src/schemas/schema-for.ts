import type { z } from "zod";

/** `true` if two types are identical, including optional and readonly modifiers. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/**
 * Returns a function that checks at compile time that a schema's output is exactly `T`. The documented, exported type
 * stays the interface.
 */
export function schemaFor<T>(): <S extends z.ZodType<T>>(
  schema: S & (Equal<Flat<z.output<S>>, Flat<T>> extends true ? unknown : never),
) => z.ZodType<T> {
  return (schema) => schema;
}

/** Resolves intersections and aliases, so that types of equal shape are identical. */
export type Flat<T> = T extends (...parameters: never) => unknown
  ? T
  : T extends object
    ? { [K in keyof T]: Flat<T[K]> }
    : T;
