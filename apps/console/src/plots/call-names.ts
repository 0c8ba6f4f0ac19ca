import type { Question } from "../answering/answerer.ts";

/** The name of a logical call: all requests sent under it are charged once. */
export interface CallName {
  /** The idempotency key sent to the service. */
  readonly name: string;
  /** The question and its recipient as text: equal for equal questions. */
  readonly questionText: string;
  /** API keys with a request under it whose outcome is unknown. */
  readonly unanswered: Set<number>;
  /** API keys with a known outcome: another request with them is a new call. */
  readonly answered: Set<number>;
}

/**
 * Names of calls whose outcome is unknown: repeating the same question reuses the same name. A name is used by one
 * question at a time, so that two equal plots are two calls.
 *
 * Another API key reuses the name too. If it belongs to the same organization, the call is the same to the service; if
 * not, the names of the other organization do not matter. The name stays for the first key until it has the outcome.
 */
export class CallNames {
  readonly #lost = new Map<string, CallName[]>();
  /** Numbers that stand for a service with its ruleset, whose text would otherwise be kept for every plot. */
  readonly #terms = new Map<string, number>();

  /** Number of names kept. */
  get size(): number {
    let size = 0;
    for (const names of this.#lost.values()) size += names.length;
    return size;
  }

  /**
   * The name for a question: that of an equal call whose outcome is unknown, otherwise a new one.
   *
   * @param address of the service
   * @param apiKey identifies the API key
   */
  take(address: string, { ruleset, ...questionText }: Question, apiKey: number): CallName {
    const terms = formatCanonicalJson({ address, ruleset });
    const number = this.#terms.get(terms) ?? this.#terms.size;
    this.#terms.set(terms, number);
    const text = `${number} ${formatCanonicalJson(questionText)}`;
    const lost = this.#lost.get(text) ?? [];
    const known =
      lost.find(({ unanswered }) => unanswered.has(apiKey)) ??
      lost.find(({ answered }) => !answered.has(apiKey));
    if (known !== undefined) this.#forget(known);
    const call = known ?? {
      name: `console-${randomHex()}`,
      questionText: text,
      unanswered: new Set(),
      answered: new Set(),
    };
    call.unanswered.add(apiKey);
    return call;
  }

  /** Records that the outcome is unknown, or will be seen by nobody. */
  lose(call: CallName): void {
    this.#lost.set(call.questionText, [...(this.#lost.get(call.questionText) ?? []), call]);
  }

  /** Records that the outcome is known to this API key. */
  end(call: CallName, apiKey: number): void {
    call.unanswered.delete(apiKey);
    call.answered.add(apiKey);
    if (call.unanswered.size > 0) this.lose(call);
  }

  #forget(call: CallName): void {
    const left = this.#lost.get(call.questionText)?.filter((other) => other !== call) ?? [];
    if (left.length > 0) this.#lost.set(call.questionText, left);
    else this.#lost.delete(call.questionText);
  }
}

/** Equal for requests that the service treats as the same: the order of members does not matter. */
function formatCanonicalJson(value: object): string {
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
