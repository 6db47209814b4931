/** Maximum delay of a timer, in milliseconds. Longer ones would fire immediately. */
export const MAX_TIMER_MS = 2_147_483_647;
