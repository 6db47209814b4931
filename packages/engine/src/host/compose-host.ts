import { EngineError, type Host, type HostMiddleware } from "@switchyard/contracts";

/**
 * Wraps a host: the first middleware of the list is the outermost, so that a call runs through the list in order and
 * reaches the base last. Absent entries are skipped; without any the base itself is given back. Throws
 * `engine.invalid_middleware` when one returns nothing. engine: ComposeHost.
 */
export function composeHost(base: Host, ...middlewares: readonly (HostMiddleware | undefined)[]): Host {
  return middlewares.reduceRight<Host>((inner, middleware, index) => {
    if (middleware === undefined) return inner;
    const wrapped: Host | undefined = middleware(inner);
    if (wrapped === undefined || wrapped === null) throw new EngineError("engine.invalid_middleware", { index });
    return wrapped;
  }, base);
}
