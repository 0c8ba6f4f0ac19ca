import type { Forms } from "../forms.ts";

/** How Portuguese writes numbers, dates and places. */
export const forms: Forms = {
  numbers: { decimalMark: ",", groupMark: ".", leastGrouped: 4 },
  months: "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro".split(
    " ",
  ),
  shortMonths: "jan. fev. mar. abr. mai. jun. jul. ago. set. out. nov. dez.".split(" "),
  day: (day, month, year) => `${day} de ${month} de ${year}`,
  shortDay: (day, month, year) => `${day} de ${month} de ${year}`,
  instant: (day, time) => `${day}, ${time} UTC`,
  compass: { n: "N", s: "S", e: "L", w: "O" },
};
