import { isDecimal, toWholeNumber } from "../values.ts";
import type { XmlElement } from "./xml-elements.ts";

/** Types of the fields of each schema, by its id and the field's name. */
export type Schemas = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Types of the fields of a schema, by name. */
export function readSchemaFieldTypes(schema: XmlElement): ReadonlyMap<string, string> {
  return new Map(
    schema.children
      .filter(({ name }) => name === "SimpleField")
      .map(({ attributes }) => [attributes.get("name") ?? "", attributes.get("type") ?? "string"]),
  );
}

/** Parts of a placemark that are no property of what it shows. */
const NO_PROPERTIES = new Set(["styleUrl", "visibility", "open", "ExtendedData"]);

/**
 * Name, description and other texts of a placemark, the folders that it is in, and its extended data. A field of the
 * latter that is called like one of the former is `ExtendedData.name`.
 *
 * @param folders from the outermost
 */
export function readPlacemarkProperties(
  placemark: XmlElement,
  folders: readonly string[],
  schemas: Schemas,
): ReadonlyMap<string, unknown> {
  const properties = new Map<string, unknown>();
  for (const { name, children, text } of placemark.children) {
    if (children.length > 0 || NO_PROPERTIES.has(name) || text.trim() === "") continue;
    if (!properties.has(name)) properties.set(name, text.trim());
  }
  if (folders.length > 0) properties.set("folder", folders.join("/"));
  for (const [name, value] of iterateExtendedData(placemark, schemas)) {
    properties.set(properties.has(name) ? `ExtendedData.${name}` : name, value);
  }
  return properties;
}

function* iterateExtendedData(placemark: XmlElement, schemas: Schemas): Generator<[string, unknown]> {
  for (const extended of placemark.children.filter(({ name }) => name === "ExtendedData")) {
    for (const field of extended.children) {
      if (field.name === "Data") {
        const value = field.children.find(({ name }) => name === "value");
        yield [field.attributes.get("name") ?? "", textOrNull(value?.text ?? "")];
      } else if (field.name === "SchemaData") {
        const types = schemas.get((field.attributes.get("schemaUrl") ?? "").replace(/^#/, ""));
        for (const { name, attributes, text } of field.children) {
          if (name !== "SimpleData") continue;
          const key = attributes.get("name") ?? "";
          yield [key, parseTypedText(text.trim(), types?.get(key) ?? "string")];
        }
      } else if (field.children.length === 0) yield [field.name, textOrNull(field.text)];
    }
  }
}

function textOrNull(text: string): string | null {
  return text.trim() === "" ? null : text.trim();
}

/** A text that does not fit its type stays text. */
function parseTypedText(text: string, type: string): unknown {
  if (text === "") return null;
  if (/^u?(?:int|short)$/.test(type) && /^[-+]?\d{1,40}$/.test(text))
    return toWholeNumber(BigInt(text.replace("+", "")));
  if (/^(?:float|double)$/.test(type) && isDecimal(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? value : text;
  }
  if (type === "bool" && /^(?:true|false|1|0)$/i.test(text)) return /^(?:true|1)$/i.test(text);
  return text;
}
