import { type Signal, signal, useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { useId, useState } from "preact/hooks";
import { words } from "../languages/language.ts";
import { type FileColumns, type FileProblem, fileColumns, fileProblems } from "./reading/read-files.ts";

/** Problems of the added files that the user must see or decide. */
export function FileProblems(): JSX.Element {
  return (
    <>
      {fileProblems.value.map((problem) => (
        <Problem key={problem.file} problem={problem} />
      ))}
    </>
  );
}

/** The detected meaning of the files' columns; another column can be chosen for the names of plots. */
export function ColumnNotes(): JSX.Element {
  return (
    <>
      {fileColumns.value.map((columns) => (
        <ColumnNote key={columns.file} columns={columns} />
      ))}
    </>
  );
}

function ColumnNote({ columns }: { readonly columns: FileColumns }): JSX.Element {
  const say = words.value;
  const select = useId();
  const { file, names, taken } = columns;
  const column = typeof taken.id === "string" ? "" : taken.id.column;
  const isNumbered = taken.id === "number";
  return (
    <details class="plots-columns" open={(taken.identifiers ?? []).length > 0}>
      <summary>
        <strong>{file}</strong> · {isNumbered ? say.plotsNumbered : say.plotsNamedBy(column || "id")}
        {taken.area !== undefined && ` · ${say.plotsAreasFrom(taken.area.column, taken.area.unit)}`}
      </summary>
      {taken.table !== undefined && taken.table.notes.length > 0 && (
        <p>
          <TableNote of={taken.table.options} />
        </p>
      )}
      <div class="plots-filter">
        <label htmlFor={select}>{say.plotsIdColumn}</label>
        <select id={select} value={column} onChange={(event) => columns.take(event.currentTarget.value)}>
          {column === "" && <option value="">{isNumbered ? say.plotsIdNumber : "id"}</option>}
          {[...new Set(column === "" ? names : [column, ...names])].map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        <button type="button" class="quiet" onClick={columns.dismiss}>
          {say.appDismiss}
        </button>
      </div>
      <Identifiers columns={columns} />
    </details>
  );
}

const identifierParts: Signal<typeof import("./IdentifierColumns.tsx") | undefined> = signal(undefined);

/** The columns of identifiers, loaded with the first table; if that fails, the next table tries again. */
function Identifiers({ columns }: { readonly columns: FileColumns }): JSX.Element | null {
  useSignalEffect(() => {
    if (identifierParts.peek() !== undefined) return;
    import("./IdentifierColumns.tsx").then(
      (parts) => {
        identifierParts.value = parts;
      },
      () => {},
    );
  });
  const parts = identifierParts.value;
  return parts === undefined ? null : <parts.IdentifierColumns columns={columns} />;
}

function TableNote({
  of,
}: {
  readonly of: NonNullable<FileColumns["taken"]["table"]>["options"];
}): JSX.Element {
  const say = words.value;
  const { wkt, longitude, latitude, cornersOf, layer } = of;
  const columns = [wkt, latitude, longitude].filter((name) => name !== undefined);
  return (
    <>
      {layer !== undefined && ` ${say.plotsSheet(layer)}`}
      {columns.length > 0 && ` ${say.plotsGeometryColumns(columns)}`}
      {cornersOf !== undefined && ` ${say.plotsCornersOf(cornersOf)}`}
    </>
  );
}

function Problem({ problem }: { readonly problem: FileProblem }): JSX.Element {
  const say = words.value;
  const { file, fault, layers, doubt, isCut } = problem;
  const isChoice = layers.length > 0;
  const mend = {
    axes: { text: say.plotsAxes, button: say.plotsSwap, settings: { swapAxes: true } },
    decimal: { text: say.plotsCommas, button: say.plotsCommasUse, settings: { decimal: "comma" } as const },
    crs: undefined,
  }[doubt ?? "crs"];
  return (
    <div class="problem plots-problem" role="alert">
      <p class="problem-title">
        {isChoice ? say.plotsChooseLayer(file) : fault !== undefined ? say.plotsUnread(file) : file}
      </p>
      {fault !== undefined && !isChoice && (
        <>
          <p>{fault.message}</p>
          <p class="problem-code">
            <code>{fault.code}</code>
          </p>
        </>
      )}
      {isChoice && (
        <ul class="plots-layers">
          {layers.slice(0, 50).map((layer) => (
            <li key={layer}>
              <button type="button" onClick={() => problem.again({ layer })}>
                {layer}
              </button>
            </li>
          ))}
        </ul>
      )}
      {isCut && <p>{say.plotsCut}</p>}
      {mend !== undefined && (
        <>
          <p>{mend.text}</p>
          <button type="button" class="primary" onClick={() => problem.again(mend.settings)}>
            {mend.button}
          </button>
        </>
      )}
      {doubt === "crs" && <CrsForm problem={problem} />}
      <button type="button" class="quiet" onClick={problem.dismiss}>
        {say.appDismiss}
      </button>
    </div>
  );
}

function CrsForm({ problem }: { readonly problem: FileProblem }): JSX.Element {
  const say = words.value;
  const id = useId();
  const [code, setCode] = useState("");
  const submit = (event: Event): void => {
    event.preventDefault();
    problem.again({ crs: `EPSG:${code.trim().replace(/^epsg:/i, "")}` });
  };
  return (
    <form class="plots-crs" onSubmit={submit}>
      <label htmlFor={id}>{say.plotsCrs}</label>
      <input
        id={id}
        type="text"
        required
        pattern="\s*([Ee][Pp][Ss][Gg]:)?[0-9]{4,6}\s*"
        placeholder="EPSG:31982"
        value={code}
        onInput={(event) => setCode(event.currentTarget.value)}
      />
      <button type="submit" class="primary">
        {say.plotsCrsUse}
      </button>
    </form>
  );
}
