// Views of what was read or is pasted: the page starts without them.
export { ColumnNotes, FileProblems } from "./FileProblems.tsx";
export { PasteForm } from "./PasteForm.tsx";
