import type { Pagination } from "@groundrule/contract";

/** A page of a list, as the service sends it. */
export interface Page<Item> {
  readonly data: { readonly items: readonly Item[]; readonly pagination: Pagination };
}

/**
 * Iterates over all items of a list; pages are requested as items are consumed. Lists are newest first, so items added
 * meanwhile move others to the next page; an item of the previous page is not yielded again.
 *
 * @param ask requests one page, by its number or by the last item of the previous page
 * @param nameOf returns the identity of an item
 */
export async function* iterateItems<Item>(
  ask: (page: number, last: Item | undefined) => Promise<Page<Item>>,
  nameOf: (item: Item) => string,
): AsyncGenerator<Item, void, undefined> {
  let seen = new Set<string>();
  let last: Item | undefined;
  for (let number = 1; ; number++) {
    const { items, pagination } = (await ask(number, last)).data;
    const names = new Set(items.map(nameOf));
    for (const item of items) if (!seen.has(nameOf(item))) yield item;
    last = items.at(-1);
    if (last === undefined || pagination.page >= pagination.total_pages) return;
    seen = names;
  }
}
