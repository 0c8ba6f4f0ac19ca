import type { Forms } from "../forms.ts";

/** How Spanish writes numbers, dates and places. */
export const forms: Forms = {
  numbers: { decimalMark: ",", groupMark: ".", leastGrouped: 5 },
  months: "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split(
    " ",
  ),
  shortMonths: "ene feb mar abr may jun jul ago sept oct nov dic".split(" "),
  day: (day, month, year) => `${day} de ${month} de ${year}`,
  shortDay: (day, month, year) => `${day} ${month} ${year}`,
  instant: (day, time) => `${day}, ${time} UTC`,
  compass: { n: "N", s: "S", e: "E", w: "O" },
};
