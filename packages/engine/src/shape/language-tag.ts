import { type Shape, text } from "./shape.ts";

/** The tag of a language, BCP 47. */
export const languageTagShape: Shape<string> = /* @__PURE__ */ text({
  pattern: /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/,
  words: "the tag of a language, such as pt or pt-BR",
});
