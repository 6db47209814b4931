/** Maximum size of one inline content of a result: 50 MiB. See custom-engine: result bounds. */
export const MAX_INLINE_BYTES: number = 50 * 1024 * 1024;
/** Maximum size of all inline contents of a result: 200 MiB. See custom-engine: result bounds. */
export const MAX_INLINE_TOTAL_BYTES: number = 200 * 1024 * 1024;
/** Maximum size of a custom engine's response: 64 MiB, after HTTP decoding. See custom-engine: result bounds. */
export const MAX_RESPONSE_BYTES: number = 64 * 1024 * 1024;
