/**
 * The edges a sweep line meets, in order along it, as nodes that keep their number while edges move
 * among them.
 *
 * A doubly linked list for the neighbours, and on the same nodes a scapegoat tree for the search:
 * where a path grows longer than twice the logarithm, the subtree that is most to blame is built
 * anew. No node carries a colour, a rank or a random number, and no sequence of insertions makes it
 * slow: O(log n) amortised.
 *
 * Source: Galperin, Rivest: Scapegoat Trees (SODA 1993), with α = 1/√2.
 */
export class SweepStatus {
  size: number = 0;
  root: number = NONE;
  /** The node furthest south, or −1. */
  lowest: number = NONE;
  /** Of each node: its edge, and its neighbours in the tree and along the line. */
  edge: Int32Array = new Int32Array(64);
  left: Int32Array = new Int32Array(64);
  right: Int32Array = new Int32Array(64);
  below: Int32Array = new Int32Array(64);
  above: Int32Array = new Int32Array(64);
  #parent: Int32Array = new Int32Array(64);
  /** Node of each edge; meaningless for edges not on the line. */
  readonly nodeOf: Int32Array;
  #used = 0;
  #free = NONE;
  #largest = 0;

  /** @param edgeCount edges are numbered below this */
  constructor(edgeCount: number) {
    this.nodeOf = new Int32Array(edgeCount);
  }

  /** Puts an edge just above a node, lowest of all for −1; returns its node. */
  insertAbove(node: number, edge: number): number {
    const fresh = this.#allocate();
    this.put(fresh, edge);
    const next = node === NONE ? this.lowest : this.above[node]!;
    this.below[fresh] = node;
    this.above[fresh] = next;
    if (node === NONE) this.lowest = fresh;
    else this.above[node] = fresh;
    if (next !== NONE) this.below[next] = fresh;

    // Of two neighbours one is an ancestor of the other, which lacks the child between them.
    this.left[fresh] = NONE;
    this.right[fresh] = NONE;
    if (node !== NONE && this.right[node] === NONE) {
      this.right[node] = fresh;
      this.#parent[fresh] = node;
    } else if (next !== NONE) {
      this.left[next] = fresh;
      this.#parent[fresh] = next;
    } else {
      this.root = fresh;
      this.#parent[fresh] = NONE;
    }
    this.size++;
    if (this.size > this.#largest) this.#largest = this.size;
    this.#rebalanceFrom(fresh);
    return fresh;
  }

  /** Takes a node and its edge off the line; the edge above may change its node. */
  remove(node: number): void {
    let gone = node;
    if (this.left[node] !== NONE && this.right[node] !== NONE) {
      // The node above is deeper and has no left child: it goes, its edge stays.
      gone = this.above[node]!;
      this.put(node, this.edge[gone]!);
    }
    const child = this.left[gone] !== NONE ? this.left[gone]! : this.right[gone]!;
    this.#replaceChild(this.#parent[gone]!, gone, child);

    const under = this.below[gone]!;
    const over = this.above[gone]!;
    if (under === NONE) this.lowest = over;
    else this.above[under] = over;
    if (over !== NONE) this.below[over] = under;
    this.edge[gone] = NONE;
    this.above[gone] = this.#free;
    this.#free = gone;
    this.size--;
    if (2 * this.size < this.#largest) {
      if (this.size > 0) this.#rebuild(this.root, this.size);
      this.#largest = this.size;
    }
  }

  /** Gives a node another edge. */
  put(node: number, edge: number): void {
    this.edge[node] = edge;
    this.nodeOf[edge] = node;
  }

  /** Exchanges the edges of a node and the node above it. */
  swapWithAbove(node: number): void {
    const over = this.above[node]!;
    const edge = this.edge[node]!;
    this.put(node, this.edge[over]!);
    this.put(over, edge);
  }

  #allocate(): number {
    if (this.#free !== NONE) {
      const node = this.#free;
      this.#free = this.above[node]!;
      return node;
    }
    if (this.#used === this.edge.length) {
      this.edge = doubled(this.edge);
      this.left = doubled(this.left);
      this.right = doubled(this.right);
      this.below = doubled(this.below);
      this.above = doubled(this.above);
      this.#parent = doubled(this.#parent);
    }
    return this.#used++;
  }

  #replaceChild(parent: number, node: number, child: number): void {
    if (parent === NONE) this.root = child;
    else if (this.left[parent] === node) this.left[parent] = child;
    else this.right[parent] = child;
    if (child !== NONE) this.#parent[child] = parent;
  }

  #rebalanceFrom(leaf: number): void {
    let depth = 0;
    for (let node = leaf; node !== this.root; node = this.#parent[node]!) depth++;
    if (depth <= 2 * (32 - Math.clz32(this.#largest))) return;
    let node = leaf;
    let size = 1;
    while (node !== this.root) {
      const parent = this.#parent[node]!;
      const sibling = this.left[parent] === node ? this.right[parent]! : this.left[parent]!;
      const whole = size + 1 + this.#sizeOf(sibling);
      if (2 * size * size > whole * whole) {
        this.#rebuild(parent, whole);
        return;
      }
      node = parent;
      size = whole;
    }
  }

  #sizeOf(node: number): number {
    if (node === NONE) return 0;
    return 1 + this.#sizeOf(this.left[node]!) + this.#sizeOf(this.right[node]!);
  }

  /** Makes a subtree as shallow as can be. */
  #rebuild(top: number, size: number): void {
    const parent = this.#parent[top]!;
    let next = top;
    while (this.left[next] !== NONE) next = this.left[next]!;
    const build = (count: number): number => {
      if (count === 0) return NONE;
      const before = build(count >> 1);
      const node = next;
      next = this.above[next]!;
      const after = build(count - 1 - (count >> 1));
      this.left[node] = before;
      this.right[node] = after;
      if (before !== NONE) this.#parent[before] = node;
      if (after !== NONE) this.#parent[after] = node;
      return node;
    };
    this.#replaceChild(parent, top, build(size));
  }
}

/** No node. */
export const NONE = -1;

function doubled(array: Int32Array): Int32Array {
  const out = new Int32Array(array.length * 2);
  out.set(array);
  return out;
}
