/**
 * Script that makes the table of a portfolio filter and sort, and rings the plot on the map when its line is pointed
 * at: it sends no request, writes no markup, and contains no text of any language, because its texts are on the page.
 * It shows some hundred lines at first, so that ten thousand open at once, and all of them on paper. The page works
 * without it. It is text, not a function, so that its bytes, and with them {@link SCRIPT_HASH}, are the same however
 * this package is bundled.
 */
export const SCRIPT = `"use strict";
(() => {
  const form = document.querySelector("form");
  const table = document.getElementById("table");
  const body = table.tBodies[0];
  const more = document.getElementById("more");
  const status = document.getElementById("shown");
  const [text, verdict, check] = ["text", "verdict", "check"].map((name) => form.elements[name]);
  const { group, least } = status.dataset;
  const number = (count) => {
    const digits = String(count);
    return digits.length < Number(least) ? digits : digits.replace(/\\B(?=(\\d{3})+$)/g, group);
  };
  const STEP = 300;
  let rows = Array.from(body.rows);
  let most = STEP;
  const words = new Map();
  const wordsOf = (row) => {
    if (!words.has(row)) words.set(row, row.textContent.toLowerCase());
    return words.get(row);
  };
  const show = () => {
    const sought = text.value.trim().toLowerCase();
    let found = 0;
    for (const row of rows) {
      const fits = (verdict.value === "" || row.dataset.v === verdict.value) &&
        (check.value === "" || "0123456".includes(row.dataset.c[check.value] ?? ".")) &&
        (sought === "" || wordsOf(row).includes(sought));
      if (fits) found++;
      const isHidden = !fits || found > most;
      if (row.hidden !== isHidden) row.hidden = isHidden;
    }
    status.textContent = status.dataset.text.replace("%", number(found));
    more.hidden = found <= most;
  };
  const filter = () => {
    most = STEP;
    show();
  };
  const collator = new Intl.Collator(document.documentElement.lang, { numeric: true });
  const keys = {
    number: (row) => Number(row.dataset.n),
    id: (row) => row.cells[1].textContent,
    verdict: (row) => Number(row.dataset.v),
    area: (row) => (row.dataset.a === undefined ? -1 : Number(row.dataset.a)),
  };
  const sort = (heading) => {
    const isDescending = heading.getAttribute("aria-sort") === "ascending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", isDescending ? "descending" : "ascending");
    const sign = isDescending ? -1 : 1;
    rows = rows
      .map((row) => [keys[heading.dataset.sort](row), row])
      .sort(([a], [b]) => sign * (typeof a === "string" ? collator.compare(a, b) : a - b))
      .map(([, row]) => row);
    filter();
    body.append(...rows);
  };
  for (const heading of table.tHead.rows[0].cells) {
    if (heading.dataset.sort === undefined) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => sort(heading));
  }
  const rings = document.querySelectorAll(".lit");
  const light = ({ target }) => {
    const place = target.closest?.("tr")?.dataset.p?.split(" ");
    rings.forEach((ring, i) => ring.toggleAttribute("hidden", place?.[3] !== String(i)));
    if (place === undefined) return;
    const lit = rings[place[3]];
    lit.setAttribute("cx", place[0]);
    lit.setAttribute("cy", place[1]);
    lit.setAttribute("r", String(Math.max(9, Number(place[2]) + 5)));
  };
  for (const event of ["mouseover", "focusin"]) body.addEventListener(event, light);
  body.addEventListener("mouseleave", () => rings.forEach((ring) => ring.toggleAttribute("hidden", true)));
  let waiting;
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(filter, 120);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(filter));
  more.addEventListener("click", () => {
    most += 1000;
    show();
  });
  addEventListener("beforeprint", () => {
    most = Infinity;
    show();
  });
  form.hidden = false;
  filter();
})();
`;

/** Hash for the page's Content-Security-Policy: the SHA-256 of {@link SCRIPT}, in base64. */
export const SCRIPT_HASH = "8cRumIqGhlXyEXP5nsxG9HAqh+ahmckrrvHy5ohiFTk=";
