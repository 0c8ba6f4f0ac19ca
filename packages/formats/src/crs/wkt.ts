/** A keyword with its members: `UNIT["metre",1]`. */
export interface WktNode {
  /** In upper case. */
  readonly keyword: string;
  /** Strings and numbers among its members, in order; a bare word (`east`) is a string. */
  readonly values: readonly (string | number)[];
  readonly nodes: readonly WktNode[];
}

/** Most characters of a definition; the longest of the EPSG registry have 10,000. */
const MOST_CHARACTERS = 1 << 18;
/** Deepest nesting; BOUNDCRS with a compound system reaches 9. */
const MOST_LEVELS = 32;

const TOKEN = /\s*(?:"((?:[^"]|"")*)"|([[\](),])|([^\s"[\](),]+))/y;

/**
 * Reads well-known text (WKT 1 of OGC and Esri, WKT 2), with brackets of either kind.
 *
 * @returns its first definition (Esri writes a vertical one behind it), or undefined where it is none
 */
export function parseWkt(text: string): WktNode | undefined {
  if (text.length > MOST_CHARACTERS) return undefined;
  const tokens = new RegExp(TOKEN);
  const next = (): RegExpExecArray | null => tokens.exec(text);
  const first = next()?.[3];
  return first !== undefined && /[[(]/.test(next()?.[2] ?? "") ? readNodeMembers(first, next, 1) : undefined;
}

type Next = () => RegExpExecArray | null;

/** Reads the members of a node whose bracket was opened, up to the one that closes it. */
function readNodeMembers(keyword: string, next: Next, level: number): WktNode | undefined {
  const values: (string | number)[] = [];
  const nodes: WktNode[] = [];
  let word: string | undefined;
  const keepWord = (): void => {
    if (word !== undefined) values.push(parseNumberOrWord(word));
    word = undefined;
  };
  for (let token = next(); token !== null; token = next()) {
    const [, quoted, mark, bare] = token;
    if (quoted !== undefined) values.push(quoted.replaceAll('""', '"'));
    else if (bare !== undefined) word = bare;
    else if (mark === ",") keepWord();
    else if (mark === "]" || mark === ")") {
      keepWord();
      return { keyword: keyword.toUpperCase(), values, nodes };
    } else {
      const node =
        word === undefined || level === MOST_LEVELS ? undefined : readNodeMembers(word, next, level + 1);
      if (node === undefined) return undefined;
      nodes.push(node);
      word = undefined;
    }
  }
  return undefined;
}

function parseNumberOrWord(word: string): string | number {
  const value = Number(word);
  return Number.isFinite(value) ? value : word;
}

/** The first member of one of these keywords. */
export function findMemberByKeyword(node: WktNode, ...keywords: readonly string[]): WktNode | undefined {
  return node.nodes.find(({ keyword }) => keywords.includes(keyword));
}
