/** Text of at most so many characters, with a mark where some are left out. */
export function shortenText(text: string, most: number): string {
  if (text.length <= most) return text;
  const letters = [...text.slice(0, 2 * most)];
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join("")}…`;
}
