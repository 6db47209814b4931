// Bits of a slot number that choose the place in one node.
const BITS = 5;
const WIDTH = 2 ** BITS;

type Node<V> =
  | { readonly kind: "leaf"; readonly values: readonly (V | undefined)[] }
  | { readonly kind: "branch"; readonly nodes: readonly (Node<V> | undefined)[] };

/** A numbered row of values that many hold at once: changing a slot makes a new tree that shares all other nodes. */
export interface SlotTree<V> {
  readonly root: Node<V> | undefined;
  /** Bits below the root's own; it has the levels that the highest slot needs. */
  readonly shift: number;
}

/** Is told of a slot with different values; nothing stands for an empty slot. */
export type SlotVisitor<V> = (slot: number, values: { before: V | undefined; after: V | undefined }) => void;

/** A tree without values. */
export const EMPTY_TREE: SlotTree<never> = Object.freeze({ root: undefined, shift: 0 });

function indexAt(slot: number, shift: number): number {
  return (slot >>> shift) % WIDTH;
}

function holds({ shift }: SlotTree<unknown>, slot: number): boolean {
  return slot < 2 ** (shift + BITS);
}

/** The tree with one level more. */
function raise<V>({ root, shift }: SlotTree<V>): SlotTree<V> {
  return { root: root === undefined ? undefined : { kind: "branch", nodes: [root] }, shift: shift + BITS };
}

function withItem<T>(items: readonly T[], index: number, item: T): readonly T[] {
  const copy = items.slice();
  copy[index] = item;
  return copy;
}

function withValue<V>({ root, shift }: SlotTree<V>, slot: number, value: V | undefined): Node<V> {
  const index = indexAt(slot, shift);
  if (shift === 0) return { kind: "leaf", values: withItem(root?.kind === "leaf" ? root.values : [], index, value) };
  const nodes = root?.kind === "branch" ? root.nodes : [];
  const node = withValue({ root: nodes[index], shift: shift - BITS }, slot, value);
  return { kind: "branch", nodes: withItem(nodes, index, node) };
}

/** The tree with another value in a slot; this one stays as it is. */
export function setSlot<V>(tree: SlotTree<V>, slot: number, value: V | undefined): SlotTree<V> {
  let grown = tree;
  while (!holds(grown, slot)) grown = raise(grown);
  return { root: withValue(grown, slot, value), shift: grown.shift };
}

/** The value in a slot. */
export function getSlot<V>(tree: SlotTree<V>, slot: number): V | undefined {
  if (!holds(tree, slot)) return undefined;
  let node = tree.root;
  for (let shift = tree.shift; node?.kind === "branch"; shift -= BITS) node = node.nodes[indexAt(slot, shift)];
  return node?.values[indexAt(slot, 0)];
}

function visitNodes<V>(pair: readonly [SlotTree<V>, SlotTree<V>], firstSlot: number, visit: SlotVisitor<V>): void {
  const [{ root: before, shift }, { root: after }] = pair;
  if (before === after) return;
  for (let index = 0; index < WIDTH; index += 1) {
    const slot = firstSlot + index * 2 ** shift;
    if (shift === 0) {
      const values = {
        before: before?.kind === "leaf" ? before.values[index] : undefined,
        after: after?.kind === "leaf" ? after.values[index] : undefined,
      };
      if (values.before !== values.after) visit(slot, values);
      continue;
    }
    const from = { root: before?.kind === "branch" ? before.nodes[index] : undefined, shift: shift - BITS };
    const to = { root: after?.kind === "branch" ? after.nodes[index] : undefined, shift: shift - BITS };
    visitNodes([from, to], slot, visit);
  }
}

/** Visits the slots in which two trees differ, in their order; nodes that both share are passed over whole. */
export function visitDifferences<V>(before: SlotTree<V>, after: SlotTree<V>, visit: SlotVisitor<V>): void {
  let [from, to] = [before, after];
  while (from.shift < to.shift) from = raise(from);
  while (to.shift < from.shift) to = raise(to);
  visitNodes([from, to], 0, visit);
}
