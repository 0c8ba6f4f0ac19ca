// Views of a list, of what was read or is pasted: the page starts without them.
export { FileProblems } from "./FileProblems.tsx";
export { Listed } from "./list/Listed.tsx";
export { PasteForm } from "./PasteForm.tsx";
