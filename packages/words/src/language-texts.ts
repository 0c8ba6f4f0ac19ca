import type { AnswerWords } from "./en/answers.ts";
import type { PageWords } from "./en/page.ts";
import type { ReportWords } from "./en/report.ts";
import type { VerdictWords } from "./en/verdict.ts";
import type { Forms } from "./forms.ts";
import type { Translation } from "./translation.ts";

/** Texts of a language as its folder has them: each member is a file, which exports a constant of that name. */
export interface LanguageTexts {
  readonly forms?: Forms;
  readonly verdict?: Translation<VerdictWords>;
  readonly report?: Translation<ReportWords>;
  readonly page?: Translation<PageWords>;
  /** Texts of the parts of the page that load after its start. */
  readonly answers?: Translation<AnswerWords>;
  /** Meanings of findings by their code; English has none, since the checker's own are English. */
  readonly findings?: Readonly<Record<string, string>>;
  /** Texts of presets, by the English ones. */
  readonly presets?: Readonly<Record<string, string>>;
}
