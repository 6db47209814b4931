/** Bytes of one inline content of a result: 50 MiB. custom-engine: result bounds. */
export const MAX_INLINE_BYTES: number = 50 * 1024 * 1024;
/** Bytes of all inline contents of a result together: 200 MiB. custom-engine: result bounds. */
export const MAX_INLINE_TOTAL_BYTES: number = 200 * 1024 * 1024;
/** Bytes of a whole answer of a custom engine that are read, decoded ones over http: 64 MiB. custom-engine: result bounds. */
export const MAX_ANSWER_BYTES: number = 64 * 1024 * 1024;
