import { isObject } from '../../../../json.ts';
import type { WorkObject } from '../../state/control-api.ts';

interface ObjectField {
  readonly label: string;
  readonly text: string;
}

/** A button of a work object. */
export interface ObjectButton {
  readonly action_id: string;
  readonly text: string;
  readonly value?: string;
  readonly style?: string;
  readonly url?: string;
  readonly accessibility_label?: string;
}

interface ObjectDescription {
  /** The ID at the other service. */
  readonly id: string;
  readonly title: string;
  /** The object's type, such as `Task`. */
  readonly kind: string;
  readonly fields: readonly ObjectField[];
  readonly buttons: readonly ObjectButton[];
}

/** Reads the parts of a work object that the page shows. */
export function describeObject(object: WorkObject): ObjectDescription {
  const reference = asRecord(object.external_ref);
  const payload = asRecord(object.entity_payload);
  const attributes = asRecord(payload.attributes);
  const id = String(reference.id ?? '');
  const kind =
    asText(attributes.display_type) || capitalize(asText(object.entity_type).split('/').at(-1) ?? '');
  const custom = Array.isArray(payload.custom_fields) ? payload.custom_fields.filter(isObject) : [];
  return {
    id,
    title: asText(asRecord(attributes.title).text) || id,
    kind,
    fields: [
      ...Object.entries(asRecord(payload.fields)).map(([name, field]) =>
        toField(asText(asRecord(field).label) || capitalize(name), field),
      ),
      ...custom.map((field) => toField(asText(field.label) || asText(field.key), field)),
    ].filter(({ text }) => text !== ''),
    buttons: [
      ...readButtons(asRecord(payload.actions).primary_actions),
      ...readButtons(asRecord(payload.actions).overflow_actions),
    ],
  };
}

/** Returns the entries of a list that are buttons. */
export function readButtons(list: unknown): ObjectButton[] {
  if (!Array.isArray(list)) return [];
  return list.filter(
    (item) => isObject(item) && typeof item.action_id === 'string' && typeof item.text === 'string',
  );
}

function toField(label: string, field: unknown): ObjectField {
  const { value, user } = asRecord(field);
  const person = asRecord(user);
  return { label, text: asText(value ?? person.text ?? person.user_id) };
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function capitalize(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
