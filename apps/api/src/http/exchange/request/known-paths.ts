import type { Result, Router } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";

/** Hono's router, with a cache for paths without parameters: nearly every request has one of a few. */
export class KnownPathsRouter<Target> implements Router<Target> {
  readonly name = "KnownPathsRouter";
  readonly #trie = new TrieRouter<Target>();
  readonly #plain = new Set<string>();
  readonly #found = new Map<string, Result<Target>>();

  add(method: string, path: string, handler: Target): void {
    this.#trie.add(method, path, handler);
    if (!/[*:{?]/.test(path)) this.#plain.add(path);
    this.#found.clear();
  }

  match(method: string, path: string): Result<Target> {
    if (!this.#plain.has(path) || !METHODS.has(method)) return this.#trie.match(method, path);
    const name = `${method} ${path}`;
    const known = this.#found.get(name);
    if (known !== undefined) return known;
    const found = this.#trie.match(method, path);
    this.#found.set(name, found);
    return found;
  }
}

/** Callers may make up any number of other methods. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST"]);
