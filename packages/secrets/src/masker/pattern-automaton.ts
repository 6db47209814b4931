const PAIRS = 128 * 128;

/** Aho-Corasick automaton: finds several patterns in a text at once. Works on UTF-16 units. */
export interface PatternAutomaton {
  /** Returns the state that follows a state when a UTF-16 unit is read. */
  next(state: number, unit: number): number;
  /** Returns how many of the most recently read UTF-16 units may be the start of a pattern. */
  depth(state: number): number;
  /** Returns the length of the longest pattern that ends in this state. 0 if no pattern ends here. */
  matched(state: number): number;
  /**
   * Reads a text, starting in a state, and returns the resulting state. Calls `report` for each UTF-16 unit of the text
   * at which patterns end, with the index of the unit and the length of the longest of these patterns.
   */
  scan(text: string, state: number, report: (index: number, length: number) => void): number;
}

/** Trie of all patterns. States are numbers; 0 is the root. */
interface Trie {
  /**
   * Class of each UTF-16 unit, a small number that serves as an index. All units that occur in no pattern have class 0.
   */
  readonly classes: Uint16Array;
  readonly classCount: number;
  /** Child states, keyed by `state * classCount + class`. */
  readonly children: ReadonlyMap<number, number>;
  readonly depths: readonly number[];
  readonly matched: number[];
  /**
   * For each state: its parent in the trie, and the class of the UTF-16 unit that leads from the parent to the state.
   */
  readonly origins: readonly (readonly [parent: number, unitClass: number])[];
}

function classify(patterns: Iterable<string>): { classes: Uint16Array; classCount: number } {
  const classes = new Uint16Array(65_536);
  let classCount = 1;
  for (const pattern of patterns) {
    for (let index = 0; index < pattern.length; index += 1) {
      const unit = pattern.charCodeAt(index);
      if (classes[unit] === 0) classes[unit] = classCount++;
    }
  }
  return { classes, classCount };
}

function buildTrie(patterns: ReadonlySet<string>): Trie {
  const { classes, classCount } = classify(patterns);
  const children = new Map<number, number>();
  const depths = [0];
  const matched = [0];
  const origins: (readonly [number, number])[] = [[0, 0]];
  for (const pattern of patterns) {
    let state = 0;
    for (let index = 0; index < pattern.length; index += 1) {
      const unitClass = classes[pattern.charCodeAt(index)] ?? 0;
      const key = state * classCount + unitClass;
      let child = children.get(key);
      if (child === undefined) {
        child = depths.length;
        children.set(key, child);
        depths.push(index + 1);
        matched.push(0);
        origins.push([state, unitClass]);
      }
      state = child;
    }
    matched[state] = pattern.length;
  }
  return { classes, classCount, children, depths, matched, origins };
}

/** Returns the fallback of each state: its longest proper suffix that is a prefix of a pattern. */
function buildFallbacks(trie: Trie): Int32Array {
  const { children, classCount, origins, depths, matched } = trie;
  const fallbacks = new Int32Array(depths.length);
  const byDepth = depths.map((_, state) => state).sort((left, right) => (depths[left] ?? 0) - (depths[right] ?? 0));
  for (const state of byDepth) {
    const [parent, unitClass] = origins[state] ?? [0, 0];
    if (parent === 0) continue;
    let candidate = fallbacks[parent] ?? 0;
    let target = children.get(candidate * classCount + unitClass);
    while (target === undefined && candidate !== 0) {
      candidate = fallbacks[candidate] ?? 0;
      target = children.get(candidate * classCount + unitClass);
    }
    fallbacks[state] = target ?? 0;
    // A shorter pattern may end in this state too, if it is a suffix of the text that leads to the state.
    if (matched[state] === 0) matched[state] = matched[fallbacks[state] ?? 0] ?? 0;
  }
  return fallbacks;
}

/** Returns the index of a pair of UTF-16 units in a table. Pairs with non-ASCII units may share an index. */
function pairOf(first: number, second: number): number {
  return ((first << 7) ^ second) & (PAIRS - 1);
}

/** Returns a table that tells which pairs of UTF-16 units may start a pattern. 0: the pair certainly starts none. */
function beginningsOf(patterns: Iterable<string>): Uint8Array {
  const pairs = new Uint8Array(PAIRS);
  for (const pattern of patterns) {
    const first = pattern.charCodeAt(0);
    if (pattern.length > 1) pairs[pairOf(first, pattern.charCodeAt(1))] = 1;
    else for (let second = 0; second < PAIRS; second += 1) pairs[pairOf(first, second)] = 1;
  }
  return pairs;
}

/** Builds the automaton for a set of non-empty patterns. Its transition rows are computed when they are needed. */
export function buildPatternAutomaton(patterns: ReadonlySet<string>): PatternAutomaton {
  const trie = buildTrie(patterns);
  const { classes, classCount, children } = trie;
  const fallbacks = buildFallbacks(trie);
  const depths = Int32Array.from(trie.depths);
  const pairs = beginningsOf(patterns);
  const lengths = Int32Array.from(trie.matched);
  const rows: (Int32Array | undefined)[] = [];

  function rowOf(state: number): Int32Array {
    const known = rows[state];
    if (known !== undefined) return known;
    const row = state === 0 ? new Int32Array(classCount) : rowOf(fallbacks[state] ?? 0).slice();
    for (let unitClass = 1; unitClass < classCount; unitClass += 1) {
      const child = children.get(state * classCount + unitClass);
      if (child !== undefined) row[unitClass] = child;
    }
    rows[state] = row;
    return row;
  }

  function scan(text: string, from: number, report: (index: number, length: number) => void): number {
    const last = text.length - 1;
    let state = from;
    for (let index = 0; index <= last; index += 1) {
      let unit = text.charCodeAt(index);
      let after = text.charCodeAt(index + 1);
      // In the root state, a unit is skipped if the pair of this unit and the next cannot start a pattern.
      while (state === 0 && index < last && pairs[pairOf(unit, after)] === 0) {
        index += 1;
        unit = after;
        after = text.charCodeAt(index + 1);
      }
      state = (rows[state] ?? rowOf(state))[classes[unit] ?? 0] ?? 0;
      const length = lengths[state] ?? 0;
      if (length > 0) report(index, length);
      if (depths[state] === 1 && index < last && pairs[pairOf(unit, after)] === 0) state = 0;
    }
    return state;
  }

  return {
    scan,
    next: (state, unit) => (rows[state] ?? rowOf(state))[classes[unit] ?? 0] ?? 0,
    depth: (state) => depths[state] ?? 0,
    matched: (state) => lengths[state] ?? 0,
  };
}
