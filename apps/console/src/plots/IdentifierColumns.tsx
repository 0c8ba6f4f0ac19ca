import { KNOWN_SCHEMES } from "@groundrule/engine/internal";
import { type IdentifierColumn, parseIdentifierKind, schemeNamedBy } from "@groundrule/plots";
import type { JSX } from "preact";
import { useId, useState } from "preact/hooks";
import { words } from "../languages/language.ts";
import type { FileColumns } from "./reading/read-files.ts";

/** Roles that presets look up. */
const ROLES = ["owner", "property"];

/** The identifier columns of a file, and a form that adds one. */
export function IdentifierColumns({ columns }: { readonly columns: FileColumns }): JSX.Element | null {
  const say = words.value;
  const chosen = columns.taken.identifiers ?? [];
  const names = columns.names.filter((name) => name !== "scheme");
  if (names.length === 0) return null;
  return (
    <details class="plots-identifiers" open={chosen.length > 0}>
      <summary>{say.plotsIdentifiers}</summary>
      <ul>
        {chosen.map((each) => (
          <li key={`${formatIdentifierKind(each)}=${each.column}`}>
            {say.plotsIdentifierRead(formatIdentifierKind(each), each.column)}{" "}
            <button
              type="button"
              class="quiet"
              aria-label={say.plotsIdentifierRemove(formatIdentifierKind(each), each.column)}
              onClick={() => columns.readIdentifiers(chosen.filter((other) => other !== each))}
            >
              {say.plotsIdentifierRemoveShort}
            </button>
          </li>
        ))}
      </ul>
      <ColumnForm
        names={names}
        chosen={chosen}
        add={(column) => columns.readIdentifiers([...chosen, column])}
      />
    </details>
  );
}

function formatIdentifierKind({ type, role }: IdentifierColumn): string {
  return role === undefined ? type : `${type}:${role}`;
}

function ColumnForm({
  names,
  chosen,
  add,
}: {
  readonly names: readonly string[];
  readonly chosen: readonly IdentifierColumn[];
  readonly add: (column: IdentifierColumn) => void;
}): JSX.Element {
  const say = words.value;
  const id = useId();
  const isFree = (name: string): boolean => chosen.every(({ column }) => column !== name);
  const likely = names.find((name) => isFree(name) && schemeNamedBy(name) !== undefined) ?? names[0]!;
  const [column, setColumn] = useState(likely);
  const [scheme, setScheme] = useState<string>(schemeNamedBy(likely) ?? "");
  const [role, setRole] = useState("");
  const [fault, setFault] = useState("");
  const chooseColumn = (name: string): void => {
    setColumn(name);
    setScheme(schemeNamedBy(name) ?? scheme);
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    const kind = parseIdentifierKind(
      [scheme, role]
        .map((part) => part.trim())
        .filter(Boolean)
        .join(":"),
    );
    if ("expected" in kind) setFault(say.plotsIdentifierFault(kind.meant));
    else add({ ...kind, column });
  };
  return (
    <form class="plots-identifier" onSubmit={submit}>
      <label htmlFor={`${id}-column`}>{say.plotsIdentifierColumn}</label>
      <select
        id={`${id}-column`}
        value={column}
        onChange={(event) => chooseColumn(event.currentTarget.value)}
      >
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <label htmlFor={`${id}-scheme`}>{say.plotsIdentifierScheme}</label>
      <input
        id={`${id}-scheme`}
        type="text"
        required
        autocapitalize="none"
        spellcheck={false}
        list={`${id}-schemes`}
        value={scheme}
        aria-invalid={fault !== ""}
        aria-describedby={`${id}-fault`}
        onInput={(event) => setScheme(event.currentTarget.value)}
      />
      <datalist id={`${id}-schemes`}>
        {KNOWN_SCHEMES.map((known) => (
          <option key={known} value={known} />
        ))}
      </datalist>
      <label htmlFor={`${id}-role`}>{say.plotsIdentifierRole}</label>
      <input
        id={`${id}-role`}
        type="text"
        autocapitalize="none"
        spellcheck={false}
        list={`${id}-roles`}
        value={role}
        onInput={(event) => setRole(event.currentTarget.value)}
      />
      <datalist id={`${id}-roles`}>
        {ROLES.map((known) => (
          <option key={known} value={known} />
        ))}
      </datalist>
      <p id={`${id}-fault`} role="alert">
        {fault}
      </p>
      <button type="submit">{say.plotsIdentifierAdd}</button>
    </form>
  );
}
