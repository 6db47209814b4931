import { EngineError, type Host, type HostMiddleware } from "@switchyard/contracts";

/**
 * Wraps a host in middlewares. The first one is the outermost, so calls pass through the list in order. `undefined`
 * entries are skipped. Without middlewares, returns the host itself. Throws `engine.invalid_middleware` if a middleware
 * does not return a host. See engine: ComposeHost.
 */
export function composeHost(base: Host, ...middlewares: readonly (HostMiddleware | undefined)[]): Host {
  return middlewares.reduceRight<Host>((inner, middleware, index) => {
    if (middleware === undefined) return inner;
    const wrapped: Host | undefined = middleware(inner);
    if (wrapped === undefined || wrapped === null) throw new EngineError("engine.invalid_middleware", { index });
    return wrapped;
  }, base);
}
