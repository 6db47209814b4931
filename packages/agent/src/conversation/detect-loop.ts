/**
 * Lengths of the patterns that are detected, in calls. The calls form a loop if they repeat such a pattern. See loop:
 * §2.10.
 */
const PATTERN_LENGTHS = [1, 2, 3] as const;

/** Length of the longest pattern that is detected, in calls. */
export const LONGEST_PATTERN = 3;

/**
 * Returns how many of the last `window` calls are checked for a pattern of the given length. This is the largest
 * multiple of the length that fits into the window. 0 if the window is too short for two repetitions.
 */
function spanOf(length: number, window: number): number {
  const span = Math.floor(window / length) * length;
  return span < 2 * length ? 0 : span;
}

/**
 * Returns the minimum number of calls that must repeat an earlier call before `detectLoop` can find a loop. `window` is
 * the number of recent calls to check. Infinity if the window is too short for any pattern.
 */
export function fewestRepetitions(window: number): number {
  let fewest = Number.POSITIVE_INFINITY;
  for (const length of PATTERN_LENGTHS) {
    const span = spanOf(length, window);
    if (span > 0) fewest = Math.min(fewest, span - length);
  }
  return fewest;
}

/** Returns whether the calls from an index to the end consist of repetitions of a pattern with the given length. */
function repeats(calls: readonly string[], length: number, from = 0): boolean {
  for (let index = from + length; index < calls.length; index += 1) {
    if (calls[index] !== calls[index - length]) return false;
  }
  return true;
}

/** Returns the shortest sequence whose repetition forms the pattern. */
function coreOf(pattern: readonly string[]): readonly string[] {
  const length = PATTERN_LENGTHS.find((candidate) => pattern.length % candidate === 0 && repeats(pattern, candidate));
  return pattern.slice(0, length ?? pattern.length);
}

/**
 * Returns a text that identifies a repeated pattern. The repetition may start at any call of the pattern, so the text
 * is built from all rotations: it is the first of them in sort order.
 */
function nameOf(found: readonly string[]): string {
  const pattern = coreOf(found);
  const rotations = pattern.map((_, index) => [...pattern.slice(index), ...pattern.slice(0, index)].join("\0"));
  return rotations.sort()[0] ?? "";
}

/**
 * Detects whether the last `window` calls repeat a pattern of one, two or three calls. Returns a text that identifies
 * the pattern: the calls `A B A B` and `B A B A` have the same text. `undefined` if no pattern is repeated. If a
 * pattern length does not divide the window evenly, the oldest calls of the window are ignored. See loop: detect_loop,
 * §2.10, decision 8.
 */
export function detectLoop(recentCalls: readonly string[], window: number): string | undefined {
  if (recentCalls.length < window) return undefined;
  for (const length of PATTERN_LENGTHS) {
    const span = spanOf(length, window);
    if (span === 0) continue;
    const from = recentCalls.length - span;
    if (repeats(recentCalls, length, from)) return nameOf(recentCalls.slice(from, from + length));
  }
  return undefined;
}
