import type { Pagination } from "@groundrule/contract";

/** A page of a list, as the service sends it. */
export interface Page<Item> {
  readonly data: { readonly items: readonly Item[]; readonly pagination: Pagination };
}

/**
 * Every item of a list, page by page as they are taken. Lists are newest first, so what is added meanwhile moves items
 * on to the next page; an item that was on the last page is not given again.
 *
 * @param ask gets one page, by its number or by the last item that was on the one before
 * @param nameOf tells items apart
 */
export async function* eachOf<Item>(
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
