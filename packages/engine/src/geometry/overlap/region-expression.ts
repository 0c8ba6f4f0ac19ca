import type { AreaRef, Region } from "./region.ts";

/** Truth of a membership or of an expression: 0 false, 1 true, 2 not yet known. */
export type Truth = 0 | 1 | 2;

export const UNKNOWN = 2;

/** An operation with what is known of its operands, counted. */
interface Node {
  readonly op: "union" | "intersection" | "difference";
  /** -1: the root. */
  readonly parent: number;
  /** True if the node is the first operand of its parent, a difference. */
  readonly leads: boolean;
  operands: number;
  trues: number;
  unknowns: number;
  /** For a difference: its first operand; the counts are of the operands subtracted. */
  leader: Truth;
  value: Truth;
}

/**
 * (plot ∩ region) as a boolean expression of memberships, those of the plot (set 0) and of each
 * distinct area of the region (sets 1, 2, …), in Kleene's logic: a membership may be unknown, and the
 * value is known as soon as the known ones decide it. At first all memberships are false.
 *
 * A union of nothing is empty; so are an intersection and a difference of nothing.
 */
export class RegionExpression {
  /** Distinct areas of the region, and which set each is. */
  areaCount = 0;
  readonly sets: ReadonlyMap<AreaRef["layer"], ReadonlyMap<number, number>>;
  readonly #nodes: Node[] = [];
  readonly #truths: Uint8Array;
  /** Nodes that have the set as operand, one for each time. */
  readonly #users: number[][] = [[]];

  constructor(region: Region) {
    const sets = new Map<AreaRef["layer"], Map<number, number>>();
    const numberSet = ({ layer, area }: AreaRef): number => {
      let known = sets.get(layer);
      if (known === undefined) {
        known = new Map();
        sets.set(layer, known);
      }
      let set = known.get(area);
      if (set === undefined) {
        set = ++this.areaCount;
        known.set(area, set);
        this.#users.push([]);
      }
      return set;
    };
    this.#addNode("intersection", -1, false);
    this.#use(0, 0);
    this.#addRegion(region, 0, false, numberSet);
    this.sets = sets;
    this.#truths = new Uint8Array(this.areaCount + 1);
  }

  /** Value of the whole expression. */
  value(): Truth {
    return this.#nodes[0]!.value;
  }

  /** Changes what is known of a set's membership. */
  assign(set: number, truth: Truth): void {
    const before = this.#truths[set] as Truth;
    if (before === truth) return;
    this.#truths[set] = truth;
    for (const node of this.#users[set]!) this.#change(node, false, before, truth);
  }

  /** Turns a known membership round. */
  flip(set: number): void {
    this.assign(set, this.#truths[set] === 1 ? 0 : 1);
  }

  /** True if learning the set's membership could change the value. */
  matters(set: number): boolean {
    return this.#users[set]!.some((user) => {
      let node = user;
      while (node !== -1 && this.#nodes[node]!.value === UNKNOWN) node = this.#nodes[node]!.parent;
      return node === -1;
    });
  }

  #addRegion(region: Region, parent: number, leads: boolean, numberSet: (ref: AreaRef) => number): void {
    const isLeaf = region.op === "areas" || region.op === "plot";
    const node = this.#addNode(isLeaf ? "union" : region.op, parent, leads);
    if (region.op === "areas") {
      for (const ref of region.areas) this.#use(numberSet(ref), node);
    } else if (region.op === "plot") {
      this.#use(0, node);
    } else {
      region.operands.forEach((operand, i) => {
        this.#addRegion(operand, node, region.op === "difference" && i === 0, numberSet);
      });
    }
  }

  #addNode(op: Node["op"], parent: number, leads: boolean): number {
    if (parent !== -1) this.#nodes[parent]!.operands++;
    const node: Node = { op, parent, leads, operands: 0, trues: 0, unknowns: 0, leader: 0, value: 0 };
    return this.#nodes.push(node) - 1;
  }

  #use(set: number, node: number): void {
    this.#users[set]!.push(node);
    this.#nodes[node]!.operands++;
  }

  #change(at: number, leads: boolean, before: Truth, after: Truth): void {
    const node = this.#nodes[at]!;
    if (leads) {
      node.leader = after;
    } else {
      node.trues += (after === 1 ? 1 : 0) - (before === 1 ? 1 : 0);
      node.unknowns += (after === UNKNOWN ? 1 : 0) - (before === UNKNOWN ? 1 : 0);
    }
    const value = computeNodeTruth(node);
    if (value === node.value) return;
    const old = node.value;
    node.value = value;
    if (node.parent !== -1) this.#change(node.parent, node.leads, old, value);
  }
}

function computeNodeTruth({ op, operands, trues, unknowns, leader }: Node): Truth {
  if (op === "union") return trues > 0 ? 1 : unknowns > 0 ? UNKNOWN : 0;
  if (op === "intersection") {
    if (trues + unknowns < operands || operands === 0) return 0;
    return unknowns > 0 ? UNKNOWN : 1;
  }
  if (leader === 0 || trues > 0) return 0;
  return leader === UNKNOWN || unknowns > 0 ? UNKNOWN : 1;
}
