import type { Pagination } from "./wire/shared.ts";

/** A page of a list, as the service sends it. */
export interface Page<Item> {
  readonly data: { readonly items: readonly Item[]; readonly pagination: Pagination };
}

/**
 * Every item of a list, page by page as they are taken. Lists are newest first, so what is added meanwhile moves items
 * on to the next page; an item that was on the last page is not given again.
 *
 * @param ask gets one page
 * @param nameOf tells items apart
 */
export async function* eachOf<Item>(
  ask: (page: number) => Promise<Page<Item>>,
  nameOf: (item: Item) => string,
): AsyncGenerator<Item, void, undefined> {
  let seen = new Set<string>();
  for (let number = 1; ; number++) {
    const { items, pagination } = (await ask(number)).data;
    const names = new Set(items.map(nameOf));
    for (const item of items) if (!seen.has(nameOf(item))) yield item;
    if (items.length === 0 || number >= pagination.total_pages) return;
    seen = names;
  }
}
