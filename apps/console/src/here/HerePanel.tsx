import type { JSX } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import { type AnswerProblem, toAnswerProblem } from "../answering/answerer.ts";
import { isPageKept, storePageFiles } from "../keep/keep-page.ts";
import { figures, words } from "../languages/language.ts";
import { listDroppedFiles } from "./files/dropped-files.ts";
import { describeFileFailure } from "./files/file-text.ts";
import { createPageAnswerer, type HereAnswerer, type OpenedFile, type Progress } from "./here.ts";
import "./here.css";

type Opening =
  | { readonly kind: "none" }
  | { readonly kind: "reading"; readonly progress: Progress | undefined }
  | { readonly kind: "open"; readonly answerer: HereAnswerer; readonly files: readonly OpenedFile[] }
  | { readonly kind: "failed"; readonly problem: AnswerProblem };

/**
 * Takes snapshot files and answers from them in this page.
 *
 * @param props.isShown true if it is visible: the files of the page are kept from then on
 * @param props.onReady called with the answerer, once its files are open and the user has seen any problems
 */
export function HerePanel({
  isShown,
  onReady,
}: {
  readonly isShown: boolean;
  readonly onReady: (answerer: HereAnswerer) => void;
}): JSX.Element {
  const say = words.value;
  const [files, setFiles] = useState<readonly File[]>([]);
  const [opening, setOpening] = useState<Opening>({ kind: "none" });
  const [isOver, setIsOver] = useState(false);
  const title = useId();
  // Users of the service do not need it.
  useEffect(() => {
    if (isShown) void storePageFiles();
  }, [isShown]);

  const take = async (added: readonly File[]): Promise<void> => {
    if (added.length === 0) return;
    // A file that is dropped again replaces its earlier version.
    const known = new Map([...files, ...added].map((file) => [file.webkitRelativePath || file.name, file]));
    const all = [...known.values()];
    setFiles(all);
    setOpening({ kind: "reading", progress: undefined });
    if (opening.kind === "open") opening.answerer.close();
    const onProgress = (progress: Progress): void => setOpening({ kind: "reading", progress });
    const answerer = createPageAnswerer(all, onProgress);
    try {
      const opened = await answerer.opened;
      const isWhole = opened.every(({ state }) => state !== "failed") && hasSources(opened);
      setOpening({ kind: "open", answerer, files: opened });
      if (isWhole) onReady(answerer);
    } catch (error) {
      answerer.close();
      setOpening({ kind: "failed", problem: toAnswerProblem(error) });
    }
  };

  return (
    <section
      class="here"
      aria-labelledby={title}
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        if (event.dataTransfer !== null) void listDroppedFiles(event.dataTransfer).then(take);
      }}
    >
      <h3 id={title}>{say.hereTitle}</h3>
      <p>
        {say.hereHelp} {isPageKept.value && <span class="here-kept">{say.hereKept}</span>}
      </p>
      <div class="here-choose">
        <FileButton words={say.hereChooseFiles} onFiles={(chosen) => void take(chosen)} />
        <FileButton words={say.hereChooseFolder} isFolder onFiles={(chosen) => void take(chosen)} />
        <span class="here-drop">{say.hereDrop}</span>
      </div>
      <div aria-live="polite">
        {opening.kind === "reading" && <Reading progress={opening.progress} />}
        {opening.kind === "failed" && <p class="here-problem">{opening.problem.message}</p>}
        {opening.kind === "open" && <Opened files={opening.files} onGo={() => onReady(opening.answerer)} />}
      </div>
    </section>
  );
}

function hasSources(files: readonly OpenedFile[]): boolean {
  return files.some(({ kind, state }) => kind === "snapshot" && state === "open");
}

function FileButton({
  words: text,
  isFolder = false,
  onFiles,
}: {
  readonly words: string;
  readonly isFolder?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}): JSX.Element {
  return (
    <label class="here-file">
      <input
        type="file"
        multiple
        ref={(input) => {
          input?.toggleAttribute("webkitdirectory", isFolder);
        }}
        accept={isFolder ? undefined : ".snapshot,.json"}
        onChange={(event) => {
          const { currentTarget } = event;
          onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = ""; // so that the same file can be chosen again
        }}
      />
      <span>{text}</span>
    </label>
  );
}

function Reading({ progress }: { readonly progress: Progress | undefined }): JSX.Element {
  const say = words.value;
  if (progress === undefined) return <p>{say.hereReading}</p>;
  const { name, readBytes, bytes } = progress;
  return (
    <label class="here-progress">
      {say.hereReadingFile(
        name,
        formatMegabytes(readBytes),
        bytes === undefined ? undefined : formatMegabytes(bytes),
      )}
      <progress max={bytes} value={bytes === undefined ? undefined : readBytes} />
    </label>
  );
}

function formatMegabytes(bytes: number): string {
  return figures.value.decimal(bytes / 1e6, 1);
}

function Opened({
  files,
  onGo,
}: {
  readonly files: readonly OpenedFile[];
  readonly onGo: () => void;
}): JSX.Element {
  const say = words.value;
  const open = files.filter(({ kind, state }) => kind === "snapshot" && state === "open").length;
  const failed = files.filter(({ state }) => state !== "open");
  return (
    <>
      <p>{say.hereOpened(open)}</p>
      {failed.length > 0 && (
        <ul class="here-files">
          {failed.map((file) => (
            <li key={`${file.name} ${file.edition ?? ""}`} data-state={file.state}>
              <strong>{file.name}</strong>
              <span>{describeFileFailure(file, say)}</span>
            </li>
          ))}
        </ul>
      )}
      {open > 0 && (
        <button type="button" class="primary" onClick={onGo}>
          {say.hereGo(open)}
        </button>
      )}
    </>
  );
}
