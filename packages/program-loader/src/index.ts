export { type CodeCache, codeCachePath, openCodeCache } from "./cache/code-cache.ts";
export { liesInProc } from "./cache/lies-in-proc.ts";
export { trustCertificates } from "./certificates/trust-certificates.ts";
export { loadProgram } from "./load/load-program.ts";
export { optimizeLater, underUsualSettings } from "./load/optimizer.ts";
