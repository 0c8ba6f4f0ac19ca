import { array, type Described, describedAs, named, objectOf, type Shape } from "@groundrule/engine/internal";
import type * as z from "zod";
import { countShape } from "../answer-members.ts";
import { wholeNumberParameter } from "./query-parameters.ts";

/** Query of lists. */
export interface PageQuery {
  /** From 1, the default. */
  readonly page: number;
  /** 1 to 200; the service's default is 25. */
  readonly page_size: number;
}

const PAGE_SIZE_DEFAULT = 25;
const PAGE_SIZE_MAX = 200;
/** Far beyond any list; a page past the end is empty. Offsets up to here are computed exactly. */
const PAGE_MAX = 2 ** 31 - 1;

/** The members of a query that name a page, for the schemas of lists. */
export const pageShape: {
  readonly page: z.ZodType<number, unknown>;
  readonly page_size: z.ZodType<number, unknown>;
} = {
  page: wholeNumberParameter(1, PAGE_MAX).default(1).describe("Number of the page, from 1"),
  page_size: wholeNumberParameter(1, PAGE_SIZE_MAX).default(PAGE_SIZE_DEFAULT).describe("Entries of a page"),
};

const paginationMembers = {
  page: describedAs(countShape, "Number of the page, from 1"),
  page_size: describedAs(countShape, "Entries of a page"),
  total_count: describedAs(countShape, "Entries of all pages together"),
  total_pages: describedAs(countShape, "Number of pages"),
};

/** The position of a page in the whole list. */
export interface Pagination extends Described<typeof paginationMembers> {}

const paginationShape: Shape<Pagination> = named("Pagination", () => objectOf(paginationMembers));

/** An answer that is a page of a list. */
export function pagedShape<Item>(item: Shape<Item>): Shape<Paged<Item>> {
  return objectOf({
    data: describedAs(
      objectOf({
        items: describedAs(array(item), "The entries of the page"),
        pagination: paginationShape,
      }),
      "A page of the list",
    ),
  });
}

/** A page of a list. */
export interface Paged<Item> {
  readonly data: {
    /** The entries of the page. */
    readonly items: readonly Item[];
    readonly pagination: Pagination;
  };
}

/** The position of a page in the whole list. */
export function toPagination({ page, page_size }: PageQuery, totalCount: number): Pagination {
  return { page, page_size, total_count: totalCount, total_pages: Math.ceil(totalCount / page_size) };
}
