import type { Question } from "../answering/answerer.ts";

/** The name of a logical call: whatever is sent under it is charged once. */
export interface CallName {
  /** What the service takes as idempotency key. */
  readonly name: string;
  /** What is asked of whom, as text: equal for equal questions. */
  readonly asked: string;
  /** API keys that asked under it and have not seen the outcome. */
  readonly unanswered: Set<number>;
  /** API keys that have seen the outcome: to ask again is another call. */
  readonly answered: Set<number>;
}

/**
 * Names of calls whose outcome nobody has seen: whoever asks the same again gets the same name. A name is held by one
 * question at a time, so that two equal plots are two calls.
 *
 * Another API key takes the name too. If it is of the same organization, the call is the same to the service; if it is
 * not, the names of the other organization do not matter. The name stays for the first key until it has the outcome.
 */
export class CallNames {
  readonly #lost = new Map<string, CallName[]>();
  /** Numbers of services with their rulesets, whose text would otherwise be kept for every plot. */
  readonly #terms = new Map<string, number>();

  /** How many names are kept. */
  get size(): number {
    let size = 0;
    for (const names of this.#lost.values()) size += names.length;
    return size;
  }

  /**
   * The name under which to ask: of an equal call whose outcome is unknown, else a new one.
   *
   * @param address of the service
   * @param apiKey tells API keys apart
   */
  take(address: string, { ruleset, ...asked }: Question, apiKey: number): CallName {
    const terms = textOf({ address, ruleset });
    const number = this.#terms.get(terms) ?? this.#terms.size;
    this.#terms.set(terms, number);
    const text = `${number} ${textOf(asked)}`;
    const lost = this.#lost.get(text) ?? [];
    const known =
      lost.find(({ unanswered }) => unanswered.has(apiKey)) ??
      lost.find(({ answered }) => !answered.has(apiKey));
    if (known !== undefined) this.#forget(known);
    const call = known ?? {
      name: `console-${randomHex()}`,
      asked: text,
      unanswered: new Set(),
      answered: new Set(),
    };
    call.unanswered.add(apiKey);
    return call;
  }

  /** The outcome is unknown, or nobody will see it. */
  lose(call: CallName): void {
    this.#lost.set(call.asked, [...(this.#lost.get(call.asked) ?? []), call]);
  }

  /** Whoever asked has the outcome. */
  end(call: CallName, apiKey: number): void {
    call.unanswered.delete(apiKey);
    call.answered.add(apiKey);
    if (call.unanswered.size > 0) this.lose(call);
  }

  #forget(call: CallName): void {
    const left = this.#lost.get(call.asked)?.filter((other) => other !== call) ?? [];
    if (left.length > 0) this.#lost.set(call.asked, left);
    else this.#lost.delete(call.asked);
  }
}

/** Equal where the service takes requests for the same: the order of members does not matter. */
function textOf(value: object): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

/** 128 random bits. `randomUUID` is for secure pages only, and the console is served by plain HTTP too. */
function randomHex(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
