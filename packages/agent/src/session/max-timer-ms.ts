/** Timers beyond this fire at once. */
export const MAX_TIMER_MS = 2_147_483_647;
