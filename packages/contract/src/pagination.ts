import * as z from "zod";
import { wholeNumberParameter } from "./query-parameters.ts";

/** Query of lists. */
export interface PageQuery {
  /** From 1. */
  readonly page: number;
  readonly page_size: number;
}

export interface Pagination extends PageQuery {
  readonly total_count: number;
  readonly total_pages: number;
}

const PAGE_SIZE_DEFAULT = 25;
const PAGE_SIZE_MAX = 200;
/** Far beyond any list; a page past the end is empty. What lies before it is counted without loss. */
const PAGE_MAX = 2 ** 31 - 1;

/** The members of a query that name a page, for the schemas of lists. */
export const pageShape: {
  readonly page: z.ZodType<number, unknown>;
  readonly page_size: z.ZodType<number, unknown>;
} = {
  page: wholeNumberParameter(1, PAGE_MAX).default(1),
  page_size: wholeNumberParameter(1, PAGE_SIZE_MAX).default(PAGE_SIZE_DEFAULT),
};

export const paginationSchema: z.ZodType<Pagination> = z.strictObject({
  page: z.int(),
  page_size: z.int(),
  total_count: z.int(),
  total_pages: z.int(),
});

/** Where a page stands among all of them. */
export function paginationOf({ page, page_size }: PageQuery, totalCount: number): Pagination {
  return { page, page_size, total_count: totalCount, total_pages: Math.ceil(totalCount / page_size) };
}
