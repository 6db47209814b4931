/** Bytes of one inline content of a result: 50 MiB. custom-engine: result bounds. */
export const MAX_INLINE_BYTES: number = 50 * 1024 * 1024;
/** Bytes of all inline contents of a result together: 200 MiB. custom-engine: result bounds. */
export const MAX_INLINE_TOTAL_BYTES: number = 200 * 1024 * 1024;
