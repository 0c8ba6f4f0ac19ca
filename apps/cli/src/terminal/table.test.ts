import { describe, expect, it } from "vitest";
import { formatTableLines } from "./table.ts";

const columns = [{ title: "name" }, { title: "size", align: "right" }] as const;

describe("renderTable", () => {
  it("lines numbers up on the right and text on the left", () => {
    expect(
      formatTableLines(
        columns,
        [
          ["a", "1"],
          ["long name", "1,000"],
        ],
        80,
      ),
    ).toEqual(["name        size", "a              1", "long name  1,000"]);
  });

  it("cuts text, never numbers, to stay within the terminal", () => {
    const lines = formatTableLines(columns, [["x".repeat(100), "12,345,678"]], 30);
    expect(lines).toEqual(["name                      size", `${"x".repeat(17)}…  12,345,678`]);
  });

  it("cuts the names that people copy only where nothing else can give way", () => {
    const named = [
      { title: "name", cutLast: true },
      { title: "title" },
      { title: "size", align: "right" },
    ] as const;
    const row = ["a-long-name", "a title", "12"];
    expect(formatTableLines(named, [row], 25)[1]).toBe("a-long-name  a tit…    12");
    expect(formatTableLines(named, [row], 24)[1]).toBe("a-long-na…  a tit…    12");
  });

  it("lets no control character of the data through", () => {
    expect(formatTableLines(columns, [["\u001b[2Jgone\n\u202e", "1"]], 80)[1]).toBe("�[2Jgone��     1");
  });
});
