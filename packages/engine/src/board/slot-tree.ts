// Number of bits of a slot number that select the child at one level of the tree.
const BITS = 5;
const WIDTH = 1 << BITS;
const LAST_INDEX = WIDTH - 1;
// Maximum number of arguments that are spread into one call. Many more arguments would overflow the stack.
const MAX_ARGUMENTS = 8192;

type Node<V> =
  | { readonly kind: "leaf"; readonly values: readonly V[] }
  | { readonly kind: "branch"; readonly nodes: readonly (Node<V> | undefined)[] };

/** A persistent array of values. A change returns a new tree that shares all other nodes. */
export interface SlotTree<V> {
  readonly root: Node<V> | undefined;
  /**
   * Number of low bits of a slot number that select a child at the levels below the root. It determines the depth of
   * the tree.
   */
  readonly shift: number;
}

/** Called for a slot with different values; `undefined` stands for an empty slot. */
export type SlotVisitor<V> = (slot: number, values: { before: V | undefined; after: V | undefined }) => void;

/** A tree without values. */
export const EMPTY_TREE: SlotTree<never> = Object.freeze({ root: undefined, shift: 0 });

function indexAt(slot: number, shift: number): number {
  return (slot >>> shift) & LAST_INDEX;
}

function valuesOf<V>(node: Node<V> | undefined): readonly V[] {
  return node?.kind === "leaf" ? node.values : [];
}

function nodesOf<V>(node: Node<V> | undefined): readonly (Node<V> | undefined)[] {
  return node?.kind === "branch" ? node.nodes : [];
}

function holds({ shift }: SlotTree<unknown>, slot: number): boolean {
  return slot >>> shift < WIDTH;
}

/** Returns the tree with one more level. */
function raise<V>({ root, shift }: SlotTree<V>): SlotTree<V> {
  return { root: root === undefined ? undefined : { kind: "branch", nodes: [root] }, shift: shift + BITS };
}

function withItem<T>(items: readonly T[], index: number, item: T): readonly T[] {
  const copy = items.slice();
  copy[index] = item;
  return copy;
}

function withValue<V>(node: Node<V> | undefined, shift: number, entry: { slot: number; value: V }): Node<V> {
  const index = indexAt(entry.slot, shift);
  if (shift === 0) return { kind: "leaf", values: withItem(valuesOf(node), index, entry.value) };
  const nodes = nodesOf(node);
  return { kind: "branch", nodes: withItem(nodes, index, withValue(nodes[index], shift - BITS, entry)) };
}

/** Returns the tree with the value of a slot replaced. */
export function setSlot<V>(tree: SlotTree<V>, slot: number, value: V): SlotTree<V> {
  let grown = tree;
  while (!holds(grown, slot)) grown = raise(grown);
  return { root: withValue(grown.root, grown.shift, { slot, value }), shift: grown.shift };
}

/** Returns the value of a slot. */
export function getSlot<V>(tree: SlotTree<V>, slot: number): V | undefined {
  if (!holds(tree, slot)) return undefined;
  let node = tree.root;
  for (let shift = tree.shift; node?.kind === "branch"; shift -= BITS) node = node.nodes[indexAt(slot, shift)];
  return node?.values[indexAt(slot, 0)];
}

function rowsOf<T>(items: readonly T[], width: number): readonly (readonly T[])[] {
  const rows = Math.ceil(items.length / width);
  return Array.from({ length: rows }, (_, row) => items.slice(row * width, (row + 1) * width));
}

/** Creates a tree with the given values in its first slots. */
export function treeOf<V>(values: readonly V[]): SlotTree<V> {
  // The array is copied by spread first, because slicing a frozen array is much slower.
  let nodes: readonly Node<V>[] = rowsOf([...values], WIDTH).map((row) => ({ kind: "leaf", values: row }));
  let shift = 0;
  for (; nodes.length > 1; shift += BITS) nodes = rowsOf(nodes, WIDTH).map((row) => ({ kind: "branch", nodes: row }));
  return { root: nodes[0], shift };
}

function addLeaves<V>(node: Node<V> | undefined, leaves: (readonly V[])[]): void {
  if (node?.kind === "leaf") leaves.push(node.values);
  for (const child of nodesOf(node)) addLeaves(child, leaves);
}

/** Returns all values in slot order, in a new array. */
export function valuesIn<V>({ root }: SlotTree<V>): V[] {
  const none: V[] = [];
  const leaves: (readonly V[])[] = [];
  addLeaves(root, leaves);
  // A single `concat` call is the fastest way to join the arrays.
  if (leaves.length <= MAX_ARGUMENTS) return none.concat(...leaves);
  return none.concat(...rowsOf(leaves, MAX_ARGUMENTS).map((row) => none.concat(...row)));
}

/** Returns the tree with only its first slots. */
export function truncateSlots<V>({ root, shift }: SlotTree<V>, length: number): SlotTree<V> {
  if (root?.kind !== "branch") return { root: { kind: "leaf", values: valuesOf(root).slice(0, length) }, shift };
  const last = Math.max(0, length - 1) >>> shift;
  const below = truncateSlots({ root: root.nodes[last], shift: shift - BITS }, length - (last << shift));
  return { root: { kind: "branch", nodes: [...root.nodes.slice(0, last), below.root] }, shift };
}

/** Returns the first slot whose value matches; -1 if none does. */
export function findSlot<V>({ root, shift }: SlotTree<V>, matches: (value: V) => boolean): number {
  const values = valuesOf(root);
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index];
    if (value !== undefined && matches(value)) return index;
  }
  const nodes = nodesOf(root);
  for (let index = 0; index < nodes.length; index += 1) {
    const slot = findSlot({ root: nodes[index], shift: shift - BITS }, matches);
    if (slot !== -1) return (index << shift) + slot;
  }
  return -1;
}

interface Place {
  readonly firstSlot: number;
  readonly shift: number;
}

function visitNodes<V>(
  [before, after]: readonly [Node<V> | undefined, Node<V> | undefined],
  { firstSlot, shift }: Place,
  visit: SlotVisitor<V>,
): void {
  if (shift === 0) {
    const [from, to] = [valuesOf(before), valuesOf(after)];
    for (let index = 0; index < WIDTH; index += 1) {
      if (from[index] !== to[index]) visit(firstSlot + index, { before: from[index], after: to[index] });
    }
    return;
  }
  const [from, to] = [nodesOf(before), nodesOf(after)];
  for (let index = 0; index < WIDTH; index += 1) {
    if (from[index] === to[index]) continue;
    visitNodes([from[index], to[index]], { firstSlot: firstSlot + (index << shift), shift: shift - BITS }, visit);
  }
}

/** Visits the slots in which two trees differ, in order. Shared nodes are skipped. */
export function visitDifferences<V>(before: SlotTree<V>, after: SlotTree<V>, visit: SlotVisitor<V>): void {
  let [from, to] = [before, after];
  while (from.shift < to.shift) from = raise(from);
  while (to.shift < from.shift) to = raise(to);
  if (from.root !== to.root) visitNodes([from.root, to.root], { firstSlot: 0, shift: from.shift }, visit);
}
