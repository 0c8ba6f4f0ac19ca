import { SaxesParser } from "saxes";
import type { LocalFile } from "../file/local-file.ts";
import { createFormatError, type FormatError, fileDamagedError } from "../format-error.ts";
import type { FormatLimits } from "../limits.ts";
import { createXmlDecoder } from "./decode-xml.ts";

/** An element with all that is in it; prefixes of names are left out. */
export interface XmlElement {
  readonly name: string;
  readonly line: number;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
  /** The text directly in it, pieces between its children joined. */
  text: string;
}

/** Elements that are read whole, when they end; and what begins and ends around them. */
export interface ElementEvent {
  readonly event: "open" | "close" | "element";
  readonly element: XmlElement;
}

/** Most elements within one that is read whole: those of 40,000 polygons. */
const MOST_ELEMENTS = 200_000;
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();
const MOST_ATTRIBUTES = 1_000;
/** Characters kept of the text of an element that is not read whole. */
const MOST_TEXT_AROUND = 1_000;
const SLICE = 1 << 16;

/**
 * Reads XML as a stream. Nothing that a document type declares is taken from it, and nothing outside of the document is
 * opened: an entity that XML itself does not know is an error.
 *
 * @param isWhole which elements come as a whole
 *
 * Fails, with the line: `FILE_DAMAGED` for what is not well-formed, has too many attributes or is nested too deep;
 * `TEXT_TOO_LARGE` for an element past the limits; as {@link createXmlDecoder}.
 */
export async function* readXmlElements(
  file: LocalFile,
  options: {
    readonly encoding: string | undefined;
    readonly limits: FormatLimits;
    readonly isWhole: (name: string) => boolean;
  },
): AsyncGenerator<ElementEvent, void, undefined> {
  const reader = new ElementReader(options.limits, options.isWhole);
  const decoder = createXmlDecoder(await file.read(0, SLICE), options.encoding);
  for await (const chunk of file.stream()) {
    // In slices, so that an element too large is found before it is read.
    for (let at = 0; at < chunk.length; at += SLICE) {
      yield* reader.write(decoder.decode(chunk.subarray(at, at + SLICE), reader.line));
    }
  }
  yield* reader.write(decoder.decode(undefined, reader.line));
  yield* reader.end();
}

class ElementReader {
  readonly #parser: SaxesParser = new SaxesParser({ position: true });
  readonly #limits: FormatLimits;
  readonly #isWhole: (name: string) => boolean;
  readonly #open: XmlElement[] = [];
  #events: ElementEvent[] = [];
  /** Where among the open elements the one stands that is read whole; −1: none. */
  #whole = -1;
  #elements = 0;
  #attributes = 0;
  /** The end of the text that the parser was fed last, for what began in it, and the line on which it begins. */
  #recent = { text: "", line: 1 };
  /** The first ampersand that begins no entity: the parser finds the fault only where the entity does not end. */
  #ampersand: FormatError | undefined;
  /** Characters since an element was whole, or a tag outside of one was read. */
  #characters = 0;

  constructor(limits: FormatLimits, isWhole: (name: string) => boolean) {
    this.#limits = limits;
    this.#isWhole = isWhole;
    this.#parser.on("error", (error) => {
      // Its messages begin with line and column.
      const message = error.message.replace(/^(?:\d+:\d+: )+/, "").replace(/\.$/, "");
      this.#lookForAmpersand("");
      throw this.#ampersand ?? this.#damaged(message, "well-formed XML");
    });
    this.#parser.on("attribute", () => {
      if (++this.#attributes > MOST_ATTRIBUTES) {
        throw this.#damaged(`more than ${MOST_ATTRIBUTES} attributes`, "fewer");
      }
    });
    this.#parser.on("opentag", ({ name, attributes }) => this.#begin(name, attributes));
    this.#parser.on("closetag", () => this.#finish());
    const keep = (text: string): void => {
      const element = this.#open[this.#open.length - 1];
      if (element === undefined) return;
      // Around the elements that are read whole only names matter, not all the space between.
      if (this.#whole !== -1 || element.text.length < MOST_TEXT_AROUND) element.text += text;
    };
    this.#parser.on("text", keep);
    this.#parser.on("cdata", keep);
  }

  get line(): number {
    return this.#parser.line;
  }

  write(text: string): readonly ElementEvent[] {
    this.#characters += text.length;
    this.#lookForAmpersand(text);
    this.#parser.write(text);
    if (this.#characters > this.#limits.featureBytes) {
      throw this.#tooLarge(`an element of more than ${this.#limits.featureBytes} characters`);
    }
    return this.#take();
  }

  end(): readonly ElementEvent[] {
    this.#parser.close();
    return this.#take();
  }

  #take(): readonly ElementEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #begin(qualified: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#open.length === this.#limits.depth) {
      throw this.#damaged(`elements more than ${this.#limits.depth} deep`, "fewer within each other");
    }
    const name = getLocalName(qualified);
    const named = Object.entries(attributes).map(([key, value]) => [getLocalName(key), value] as const);
    const element: XmlElement = {
      name,
      line: this.line,
      attributes: named.length === 0 ? NO_ATTRIBUTES : new Map(named),
      children: [],
      text: "",
    };
    const parent = this.#open[this.#open.length - 1];
    this.#open.push(element);
    this.#attributes = 0;
    if (this.#whole !== -1) {
      parent!.children.push(element);
      if (++this.#elements > MOST_ELEMENTS) throw this.#tooLarge(`more than ${MOST_ELEMENTS} elements`);
    } else if (this.#isWhole(name)) {
      this.#whole = this.#open.length - 1;
      this.#elements = 0;
      this.#characters = 0;
    } else this.#emit("open", element);
  }

  #finish(): void {
    const element = this.#open.pop()!;
    if (this.#whole === -1) this.#emit("close", element);
    else if (this.#whole === this.#open.length) {
      this.#whole = -1;
      this.#emit("element", element);
    }
  }

  #emit(event: ElementEvent["event"], element: XmlElement): void {
    this.#characters = 0;
    this.#events.push({ event, element });
  }

  /** Many programs write an ampersand in a name as it is. */
  #lookForAmpersand(next: string): void {
    if (this.#ampersand !== undefined) return;
    const text = this.#recent.text + next;
    const { line } = this.#recent;
    const from = Math.max(0, text.length - MOST_ENTITY);
    this.#recent = { text: text.slice(from), line: line + countLineFeeds(text.slice(0, from)) };
    if (!text.includes("&")) return;
    const plain = text.replace(/<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<!--[\s\S]*?(?:-->|$)/g, (part) =>
      part.replace(/[^\n]/g, " "),
    );
    const at = plain.search(/&(?!(?:#\d+|#x[\da-f]+|[a-z_][\w.-]*);)/i);
    // A word that begins at the very end may go on in the text that follows.
    if (at === -1 || (next !== "" && at > plain.length - MOST_ENTITY)) return;
    const found = `"&" in ${JSON.stringify(plain.slice(Math.max(0, at - 20), at + 20))}`;
    const place = { line: line + countLineFeeds(plain.slice(0, at)) };
    this.#ampersand = fileDamagedError(found, '"&amp;", as XML writes an ampersand', place);
  }

  #damaged(found: string, expected: string): FormatError {
    return fileDamagedError(found, expected, { line: this.line });
  }

  #tooLarge(found: string): FormatError {
    const details = { place: { line: this.line }, limit: this.#limits.featureBytes };
    return createFormatError("TEXT_TOO_LARGE", found, "features within the limits", details);
  }
}

const MOST_ENTITY = 200;

function countLineFeeds(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

function getLocalName(qualified: string): string {
  return qualified.slice(qualified.lastIndexOf(":") + 1);
}

/** The first child of a name. */
export function findChildByName(element: XmlElement, name: string): XmlElement | undefined {
  return element.children.find((child) => child.name === name);
}
