const PAIRS = 128 * 128;

/** Aho-Corasick automaton over UTF-16 units. */
export interface PatternAutomaton {
  /** Returns the state after another UTF-16 unit. */
  next(state: number, unit: number): number;
  /** Returns how many of the last units may be the start of a pattern. */
  depth(state: number): number;
  /** Returns the length of the longest pattern that ends at a state. 0 if no pattern ends there. */
  matched(state: number): number;
  /**
   * Returns the state after a text. Calls `report` with the length of each match and the index of the match's last
   * unit.
   */
  scan(text: string, state: number, report: (index: number, length: number) => void): number;
}

/** Trie of all patterns. States are numbers; 0 is the root. */
interface Trie {
  /** Class of each unit. 0: not in any pattern. */
  readonly classes: Uint16Array;
  readonly classCount: number;
  /** Child states by `state * classCount + class`. */
  readonly children: ReadonlyMap<number, number>;
  readonly depths: readonly number[];
  readonly matched: number[];
  /** Parent and class of each state. */
  readonly cameFrom: readonly (readonly [parent: number, unitClass: number])[];
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
  const cameFrom: (readonly [number, number])[] = [[0, 0]];
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
        cameFrom.push([state, unitClass]);
      }
      state = child;
    }
    matched[state] = pattern.length;
  }
  return { classes, classCount, children, depths, matched, cameFrom };
}

/** Returns the fallback of each state: its longest proper suffix that is a prefix of a pattern. */
function buildFallbacks(trie: Trie): Int32Array {
  const { children, classCount, cameFrom, depths, matched } = trie;
  const fallbacks = new Int32Array(depths.length);
  const byDepth = depths.map((_, state) => state).sort((left, right) => (depths[left] ?? 0) - (depths[right] ?? 0));
  for (const state of byDepth) {
    const [parent, unitClass] = cameFrom[state] ?? [0, 0];
    if (parent === 0) continue;
    let candidate = fallbacks[parent] ?? 0;
    let target = children.get(candidate * classCount + unitClass);
    while (target === undefined && candidate !== 0) {
      candidate = fallbacks[candidate] ?? 0;
      target = children.get(candidate * classCount + unitClass);
    }
    fallbacks[state] = target ?? 0;
    // A shorter pattern, a suffix of the text that leads to this state, may also end here.
    if (matched[state] === 0) matched[state] = matched[fallbacks[state] ?? 0] ?? 0;
  }
  return fallbacks;
}

/** Returns the table index of a pair of UTF-16 units. Non-ASCII pairs may share an index. */
function pairOf(first: number, second: number): number {
  return ((first << 7) ^ second) & (PAIRS - 1);
}

/** Returns a table of the unit pairs that may start a pattern. 0: certainly not. */
function beginningsOf(patterns: Iterable<string>): Uint8Array {
  const pairs = new Uint8Array(PAIRS);
  for (const pattern of patterns) {
    const first = pattern.charCodeAt(0);
    if (pattern.length > 1) pairs[pairOf(first, pattern.charCodeAt(1))] = 1;
    else for (let second = 0; second < PAIRS; second += 1) pairs[pairOf(first, second)] = 1;
  }
  return pairs;
}

/** Builds the automaton of a set of non-empty patterns. Transition rows are computed on demand. */
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
      // At the root, units that cannot start a pattern together with the next one are skipped.
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
